import { describe, expect, it } from 'vitest';
import { readConfiguration } from '../../functions/runtime/configuration.ts';
import type { Platform } from '../../functions/runtime/transport-configuration.ts';

const DEPLOYED = {
  ORACLE_TRANSPORT: 'ords',
  ORDS_URL: 'https://db.example.com/ords/memory',
  ORDS_USERNAME: 'memory',
  ORDS_PASSWORD: 'secret',
  SEARCH_STRATEGY: 'keyword',
  API_KEYS: JSON.stringify([{ id: 'one', sha256: 'a'.repeat(64), scopes: ['*'] }]),
};
const URL_OF_QUEUE = 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs';

function queue(variables: Readonly<Record<string, string>>, platform: Platform = 'deployed') {
  return readConfiguration(platform === 'local' ? variables : { ...DEPLOYED, ...variables }, platform).queue;
}

describe('the queue of a configuration', () => {
  it('is on Amazon SQS, in the region of its address, with what the SDK finds', () => {
    expect(queue({ SQS_QUEUE_URL: URL_OF_QUEUE, AWS_REGION: 'us-east-1' })).toEqual({
      kind: 'sqs',
      url: URL_OF_QUEUE,
      region: 'eu-central-1',
      endpoint: undefined,
      credentials: undefined,
    });
    const url = 'https://sqs.us-gov-west-1.amazonaws.com/123456789012/jobs';
    expect(queue({ SQS_QUEUE_URL: url })).toMatchObject({ region: 'us-gov-west-1' });
  });

  it('takes keys, a server of its own and the region that only a variable tells', () => {
    const variables = {
      SQS_QUEUE_URL: 'http://127.0.0.1:4566/000000000000/jobs',
      SQS_ENDPOINT: 'http://127.0.0.1:4566',
      AWS_REGION: 'eu-west-3',
      AWS_ACCESS_KEY_ID: 'id',
      AWS_SECRET_ACCESS_KEY: 'key',
      AWS_SESSION_TOKEN: 'token',
    };
    const expected = {
      kind: 'sqs',
      url: variables.SQS_QUEUE_URL,
      region: 'eu-west-3',
      endpoint: variables.SQS_ENDPOINT,
      credentials: { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' },
    };
    expect(queue(variables)).toEqual(expected);
    expect(queue(variables, 'local')).toEqual(expected);
  });

  it.each<[string, Readonly<Record<string, string>>, Platform]>([
    ['SQS_QUEUE_URL', { JOB_QUEUE: 'sqs' }, 'deployed'],
    ['SQS_QUEUE_URL', { SQS_ENDPOINT: 'http://127.0.0.1:4566' }, 'local'],
    ['SQS_QUEUE_URL', { SQS_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com' }, 'deployed'],
    ['SQS_QUEUE_URL', { SQS_QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/' }, 'local'],
    ['AWS_REGION', { SQS_QUEUE_URL: 'http://127.0.0.1:4566/000000000000/jobs' }, 'deployed'],
    ['AWS_REGION', { SQS_QUEUE_URL: 'https://sqs.example.com/jobs' }, 'deployed'],
    ['AWS_SECRET_ACCESS_KEY', { SQS_QUEUE_URL: URL_OF_QUEUE, AWS_ACCESS_KEY_ID: 'id' }, 'deployed'],
    ['AWS_ACCESS_KEY_ID', { SQS_QUEUE_URL: URL_OF_QUEUE, AWS_SECRET_ACCESS_KEY: 'key' }, 'deployed'],
    ['JOB_QUEUE', { JOB_QUEUE: 'cloudflare-queue' }, 'local'],
  ])('names %s when %j is not enough', (name, variables, platform) => {
    expect(() => queue(variables, platform)).toThrow(new RegExp(`^${name}: `));
  });

  it('is in the process or a binding without further variables', () => {
    expect(queue({ JOB_QUEUE: 'inline' })).toEqual({ kind: 'inline' });
    expect(queue({ JOB_QUEUE: 'inline' }, 'local')).toEqual({ kind: 'inline' });
    expect(queue({ JOB_QUEUE: 'cloudflare-queue' })).toEqual({ kind: 'cloudflare-queue' });
    expect(queue({}, 'local')).toEqual({ kind: 'local-sqs' });
  });
});
