import { describe, expect, it } from 'vitest';
import type { QueueJob } from '../../functions/queue-job.ts';
import { createSqsHandler } from '../../functions/runtime/sqs-handler.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { createServiceDouble } from './service-double.ts';
import { invocation, sqsEvent, sqsRecord } from './sqs-events.ts';

/** A handler of a job that fails for some bodies. */
function createHandler(run: QueueJob['run']) {
  const { services, logged } = createServiceDouble();
  const handler = createSqsHandler({ name: 'extract', run }, async () => services);
  return { handler, logged };
}

describe('the handler of an SQS event source', () => {
  it('says which messages have to come again and which are done', async () => {
    const failure = new AgentMemoryError('unavailable', 'no database');
    const { handler, logged } = createHandler(async (_, body) => {
      if (body === 'bad') throw failure;
      return { outcome: `did ${body}` };
    });
    const event = sqsEvent(sqsRecord('one', 'm1'), sqsRecord('bad', 'm2'), sqsRecord('two', 'm3'));
    expect(await handler(event, invocation())).toEqual({ batchItemFailures: [{ itemIdentifier: 'm2' }] });
    const { name, code, message } = failure;
    expect(logged).toEqual([
      { level: 'info', event: 'message_handled', job: 'extract', outcome: 'did one' },
      { level: 'error', event: 'message_failed', job: 'extract', failure: { name, code, message } },
      { level: 'info', event: 'message_handled', job: 'extract', outcome: 'did two' },
    ]);
  });

  it.each([
    { outcome: 'nothing_due', level: 'debug' },
    { outcome: 'succeeded', level: 'info' },
    { outcome: 'released', level: 'info' },
    { outcome: 'failed', level: 'warn' },
    { outcome: 'dead', level: 'error' },
  ])('logs a job that ended as $outcome at the level $level', async ({ outcome, level }) => {
    const { handler, logged } = createHandler(async () => ({ outcome, databaseRequests: 1 }));
    await handler(sqsEvent(sqsRecord('{"jobId":"job-1"}')), invocation());
    expect(logged).toEqual([
      { level, event: 'message_handled', job: 'extract', outcome, databaseRequests: 1 },
    ]);
  });

  it('names the job of a message that failed', async () => {
    const { handler, logged } = createHandler(async () => {
      throw new AgentMemoryError('unavailable', 'no database');
    });
    await handler(sqsEvent(sqsRecord('{"jobId":"job-1"}')), invocation());
    expect(logged).toEqual([expect.objectContaining({ event: 'message_failed', jobId: 'job-1' })]);
  });

  it('calls work that was cut off no failure, and lets its message come again', async () => {
    const { handler, logged } = createHandler(
      (_services, _body, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    );
    const event = sqsEvent(sqsRecord('{"jobId":"job-1"}', 'm1'));
    expect(await handler(event, invocation(10_030))).toEqual({
      batchItemFailures: [{ itemIdentifier: 'm1' }],
    });
    expect(logged).toEqual([{ level: 'info', event: 'message_returned', job: 'extract', jobId: 'job-1' }]);
  });

  it('handles the messages of an event at once', async () => {
    const waiting: (() => void)[] = [];
    const { handler } = createHandler(async () => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        if (waiting.length === 3) for (const go of waiting) go();
      });
      return {};
    });
    const event = sqsEvent(sqsRecord('a'), sqsRecord('b'), sqsRecord('c'));
    expect(await handler(event, invocation())).toEqual({ batchItemFailures: [] });
  });

  it('stops work before the invocation ends', async () => {
    const { handler } = createHandler(
      (_, body, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ outcome: `handed back ${body}` }));
        }),
    );
    const event = sqsEvent(sqsRecord('a', 'm1'));
    expect(await handler(event, invocation(10_030))).toEqual({ batchItemFailures: [] });
    const late = sqsEvent(sqsRecord('b', 'm2'));
    expect(await handler(late, invocation(9_000))).toEqual({ batchItemFailures: [] });
  });

  it('fails when there are no services, so that every message comes again', async () => {
    const failure = new AgentMemoryError('internal', 'the function could not be started');
    const job: QueueJob = { name: 'extract', run: async () => ({}) };
    const handler = createSqsHandler(job, () => Promise.reject(failure));
    await expect(handler(sqsEvent(sqsRecord('a')), invocation())).rejects.toBe(failure);
  });

  it.each([undefined, null, {}, { Records: 'a' }, { Records: [{ s3: {} }] }, { version: '2.0' }])(
    'fails at %j, which no queue sent',
    async (event) => {
      const { handler } = createHandler(async () => ({}));
      await expect(handler(event, invocation())).rejects.toMatchObject({ code: 'internal' });
    },
  );
});
