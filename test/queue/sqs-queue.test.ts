import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { createSignedSqsQueue, type SignedSqsQueueConfig } from '../../lib/queue/sqs/signed-sqs-queue.ts';
import { createSqsQueue } from '../../lib/queue/sqs/sqs-queue.ts';
import { queueCases } from '../conformance/queue-cases.ts';
import { type ReceivedRequest, startLoopbackEndpoint } from '../models/loopback-endpoint.ts';
import { startLocalSqs } from './local-sqs.ts';

queueCases('Amazon SQS through its SDK', startLocalSqs);

const CREDENTIALS = { accessKeyId: 'test', secretAccessKey: 'test' };
const UNAVAILABLE = { name: 'AgentMemoryError', code: 'unavailable', retryable: true };

type CreateQueue = (config: SignedSqsQueueConfig) => JobQueue;

const WAYS: readonly (readonly [string, CreateQueue])[] = [
  ['its SDK', createSqsQueue],
  ['a signature', createSignedSqsQueue],
];

/** What SQS answers: the SDK compares the digest. */
function taken({ body }: ReceivedRequest) {
  const text = String(Reflect.get(Object(body), 'MessageBody'));
  return { body: { MessageId: 'm1', MD5OfMessageBody: createHash('md5').update(text).digest('hex') } };
}

describe.each(WAYS)('a queue on Amazon SQS through %s', (_, createQueue) => {
  function queueAt(endpoint: string, limitMilliseconds?: number): JobQueue {
    const url = 'https://sqs.eu-central-1.amazonaws.com/123456789012/jobs';
    return createQueue({
      url,
      region: 'eu-central-1',
      endpoint,
      credentials: CREDENTIALS,
      limitMilliseconds,
    });
  }

  it('sends the job’s id and the delay in whole seconds, signed for its region', async () => {
    await using server = await startLoopbackEndpoint(taken);
    await queueAt(server.apiBase).send({ jobId: 'a/日', delaySeconds: 1.2 });
    expect(server.received).toHaveLength(1);
    const [request] = server.received;
    expect(request?.body).toMatchObject({ MessageBody: '{"jobId":"a/\\u65e5"}', DelaySeconds: 2 });
    expect(request?.headers['x-amz-target']).toBe('AmazonSQS.SendMessage');
    expect(request?.headers.authorization).toMatch(/Credential=test\/\d{8}\/eu-central-1\/sqs\/aws4_request/);
  });

  it('reaches the host of its queue’s URL', async () => {
    await using server = await startLoopbackEndpoint(taken);
    const url = `${new URL(server.apiBase).origin}/123456789012/jobs`;
    await createQueue({ url, region: 'eu-central-1', credentials: CREDENTIALS }).send({ jobId: 'a' });
    expect(server.received.map(({ body }) => body)).toMatchObject([{ QueueUrl: url }]);
  });

  it('tries once more when the service fails, and then says that it did not take the wake-up', async () => {
    await using server = await startLoopbackEndpoint((request, count) =>
      count === 1 ? { status: 500, body: {} } : taken(request),
    );
    await queueAt(server.apiBase).send({ jobId: 'a' });
    expect(server.received).toHaveLength(2);
    await using failing = await startLoopbackEndpoint(() => ({ status: 503, body: {} }));
    await expect(queueAt(failing.apiBase).send({ jobId: 'a' })).rejects.toMatchObject(UNAVAILABLE);
    expect(failing.received).toHaveLength(2);
  });

  it('is unavailable when it refuses the credentials or cannot be reached', async () => {
    await using refusing = await startLoopbackEndpoint(() => ({
      status: 403,
      body: { __type: 'com.amazon.coral.service#AccessDeniedException', message: 'not allowed' },
    }));
    const refused: unknown = await queueAt(refusing.apiBase)
      .send({ jobId: 'a' })
      .catch((error) => error);
    expect(refused).toMatchObject({ ...UNAVAILABLE, cause: { name: 'AccessDeniedException' } });
    expect(refusing.received).toHaveLength(1);
    expect(String(refused)).not.toContain('not allowed');
    const closed = createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const address = closed.address();
    const port = address !== null && typeof address !== 'string' ? address.port : 0;
    await new Promise((resolve) => closed.close(resolve));
    await expect(queueAt(`http://127.0.0.1:${port}`).send({ jobId: 'a' })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('holds nobody up when it does not answer', async () => {
    await using server = await startLoopbackEndpoint(() => ({ fault: 'hang' }));
    const bounded = queueAt(server.apiBase, 50).send({ jobId: 'a' });
    await expect(bounded).rejects.toMatchObject({ ...UNAVAILABLE, cause: { name: 'TimeoutError' } });
    await expect(queueAt(server.apiBase).send({ jobId: 'a' })).rejects.toMatchObject(UNAVAILABLE);
  });

  it('stops when its caller goes while it waits', async () => {
    const gone = new AbortController();
    const reason = new Error('gone');
    await using server = await startLoopbackEndpoint(() => {
      gone.abort(reason);
      return { fault: 'hang' };
    });
    const sent = queueAt(server.apiBase, 60_000).send({ jobId: 'a' }, { signal: gone.signal });
    await expect(sent).rejects.toBe(reason);
    expect(server.received).toHaveLength(1);
  });
});

describe('a queue on Amazon SQS through its SDK alone', () => {
  it('takes the credentials that the SDK finds when it has none', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'found');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'key');
    await using server = await startLoopbackEndpoint(taken);
    const url = `${new URL(server.apiBase).origin}/123456789012/jobs`;
    await createSqsQueue({ url, region: 'eu-central-1' }).send({ jobId: 'a' });
    vi.unstubAllEnvs();
    expect(server.received[0]?.headers.authorization).toContain('Credential=found/');
  });
});
