import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readStoredVariables } from '../../functions/runtime/stored-variables.ts';
import { type AwsConfigurationServer, startAwsConfigurationServer } from './aws-configuration-server.ts';

const PATH = '/agent-memory/prod/service';
const SECRET = 'agent-memory/prod/service';

let server: AwsConfigurationServer;

beforeAll(async () => {
  server = await startAwsConfigurationServer(
    {
      [`${PATH}/ORDS_URL`]: 'https://db.example.com/ords/memory',
      [`${PATH}/ORDS_CLIENT_SECRET`]: 'secret 日本',
      [`${PATH}/LLM`]: 'none',
      [`${PATH}/SEARCH_STRATEGY`]: 'hybrid',
      '/agent-memory/test/service/SECRETS_MANAGER_SECRET': SECRET,
      [`${PATH}/below/API_KEYS`]: 'of another level',
      '/agent-memory/prod/schema/ORDS_URL': 'of another function',
    },
    { [SECRET]: '{"ORACLE_WALLET":"-----BEGIN","LLM":"rules"}', broken: '["secret-text"]' },
  );
});
afterAll(() => server?.close());

describe('stored variables', () => {
  it('are those of the environment when it names no store', async () => {
    const environment = { ORDS_URL: 'http://localhost', SSM_PARAMETER_PATH: '' };
    expect(await readStoredVariables(environment)).toEqual(environment);
  });

  it('are the parameters below a path, page by page, in place of the environment’s', async () => {
    const given = { ...server.variables, SSM_PARAMETER_PATH: PATH, LLM: 'rules', JOB_QUEUE: 'sqs' };
    expect(await readStoredVariables(given)).toEqual({
      ...given,
      ORDS_URL: 'https://db.example.com/ords/memory',
      ORDS_CLIENT_SECRET: 'secret 日本',
      LLM: 'none',
      SEARCH_STRATEGY: 'hybrid',
    });
    expect(server.requests).toMatchObject([{ Path: PATH, WithDecryption: true }, { NextToken: '2' }]);
  });

  it('have the members of a secret last, which a parameter may name', async () => {
    const both = { ...server.variables, SSM_PARAMETER_PATH: PATH, SECRETS_MANAGER_SECRET: SECRET };
    expect(await readStoredVariables(both)).toMatchObject({
      ORACLE_WALLET: '-----BEGIN',
      LLM: 'rules',
      SEARCH_STRATEGY: 'hybrid',
    });
    const named = { ...server.variables, SSM_PARAMETER_PATH: '/agent-memory/test/service' };
    expect(await readStoredVariables(named)).toMatchObject({ LLM: 'rules' });
  });

  it('are asked for again when a store is busy', async () => {
    server.failNext(503, 429);
    const read = await readStoredVariables({ ...server.variables, SECRETS_MANAGER_SECRET: SECRET });
    expect(read.ORACLE_WALLET).toBe('-----BEGIN');
  });

  it.each([
    ['a store that stays busy', [500, 500, 500], 'unavailable'],
    ['a role that may not read', [400], 'internal'],
  ] as const)('fail with %s', async (_, statuses, code) => {
    server.failNext(...statuses);
    const given = { ...server.variables, SSM_PARAMETER_PATH: PATH };
    await expect(readStoredVariables(given)).rejects.toMatchObject({ code });
  });

  it.each([
    ['SSM_PARAMETER_PATH', { SSM_PARAMETER_PATH: '/nothing/here' }],
    ['SECRETS_MANAGER_SECRET', { SECRETS_MANAGER_SECRET: 'broken' }],
    ['AWS_REGION', { SSM_PARAMETER_PATH: PATH, AWS_REGION: '' }],
  ])('name %s when it is wrong, and never a value', async (name, variables) => {
    const failure = await readStoredVariables({ ...server.variables, ...variables }).catch((error) => error);
    expect(failure).toMatchObject({ code: 'invalid_request', issues: [{ path: name }] });
    expect(String(failure)).not.toContain('secret-text');
  });

  it('cannot be read with a key that is not the function’s', async () => {
    const given = { ...server.variables, SSM_PARAMETER_PATH: PATH, AWS_SECRET_ACCESS_KEY: 'another' };
    await expect(readStoredVariables(given)).rejects.toThrow('ssm answered 403');
  });
});
