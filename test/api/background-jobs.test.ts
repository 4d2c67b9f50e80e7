import { afterEach, describe, expect, it } from 'vitest';
import { extractJob } from '../../functions/jobs/extract.ts';
import { sweepJob } from '../../functions/jobs/sweep.ts';
import { createSqsHandler } from '../../functions/runtime/sqs-handler.ts';
import { runScheduledJob } from '../../functions/scheduled-job.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createRecordingQueue, type RecordingQueue } from '../../lib/testing/recording-queue.ts';
import { createScriptedLlm, type LlmScript } from '../../lib/testing/scripted-llm.ts';
import { invocation, sqsEvent, sqsRecord } from '../runtime/sqs-events.ts';
import { type ApiFixture, type ApiFixtureOptions, startApi } from './api-fixture.ts';

const MEMORY = {
  type: 'fact',
  content: 'User lives in Porto.',
  importance: 3,
  entities: ['Porto'],
  topic: 'home',
  sourceMessageIds: ['m1'],
  supersedes: [],
};
const BACKGROUND = {
  MEMORY_EXTRACTION: '{"extractionMode":"background","enableContextSummary":false}',
};

let api: ApiFixture | undefined;
afterEach(() => api?.close());

/** A service whose threads extract in the background, with one queued message. */
async function startBackground(script: LlmScript, options: ApiFixtureOptions = {}) {
  const queue = createRecordingQueue();
  const llm = createScriptedLlm(script);
  const fixture = await startApi({ variables: BACKGROUND, llm, jobQueue: queue, ...options });
  api = fixture;
  const handler = createSqsHandler(extractJob, async () => fixture.services);
  return { fixture, queue, llm, handler };
}

async function addMessage({ client }: ApiFixture): Promise<string> {
  const thread = await client.createThread({ threadId: 'trip', userId: 'maya' });
  const { extraction } = await thread.addMessages([{ id: 'm1', role: 'user', content: 'I live in Porto.' }]);
  expect(extraction).toEqual({ status: 'queued', jobId: expect.any(String) });
  return extraction.jobId ?? '';
}

/** The event of the last wake-up that the queue took. */
function lastEvent(queue: RecordingQueue) {
  return sqsEvent(sqsRecord(JSON.stringify({ jobId: queue.sent.at(-1)?.jobId }), 'message'));
}

/** Makes every job look as if it had been due for an hour. */
async function age({ emulator }: ApiFixture): Promise<void> {
  const session = emulator.engine.openSession();
  const anHourAgo = "SYSTIMESTAMP - INTERVAL '1' HOUR";
  await session.execute(
    `UPDATE MEMORY_JOB SET created_at = ${anHourAgo}, next_attempt_at = ${anHourAgo}`,
    [],
  );
  await session.commit();
  await session.close();
}

const DONE = { batchItemFailures: [] };
const AGAIN = { batchItemFailures: [{ itemIdentifier: 'message' }] };

describe('the consumer of the queue', () => {
  it('runs a job once, however often its message comes', async () => {
    const { fixture, queue, llm, handler } = await startBackground({
      memory_extraction: [{ memories: [MEMORY] }],
    });
    const jobId = await addMessage(fixture);
    expect(queue.sent).toEqual([{ jobId, delaySeconds: 0 }]);
    const event = lastEvent(queue);
    expect(await handler(event, invocation())).toEqual(DONE);
    expect(await handler(event, invocation())).toEqual(DONE);
    expect(llm.calls).toHaveLength(1);
    const outcomes = fixture.logged.filter(({ event: name }) => name === 'message_handled');
    expect(outcomes.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({
        job: 'extract',
        jobId,
        outcome: 'succeeded',
        databaseRequests: 5,
        modelCalls: 1,
      }),
      expect.objectContaining({ job: 'extract', jobId, outcome: 'nothing_due', modelCalls: 0 }),
    ]);
    expect(await fixture.client.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('hands a job back when it is told to stop', async () => {
    const stopping = new AbortController();
    const { fixture, queue } = await startBackground(({ signal }) => {
      stopping.abort(new DOMException('the time is over', 'TimeoutError'));
      signal?.throwIfAborted();
      return { memories: [MEMORY] };
    });
    const jobId = await addMessage(fixture);
    const run = await extractJob.run(fixture.services, JSON.stringify({ jobId }), stopping.signal);
    expect(run).toMatchObject({ outcome: 'released', reasonCode: 'timeout' });
    expect(await fixture.client.getJob(jobId)).toMatchObject({
      status: 'pending',
      attempt: 1,
      reason: { code: 'timeout' },
    });
    expect(queue.sent.map((wakeUp) => wakeUp.jobId)).toEqual([jobId, jobId]);
    expect(queue.sent[1]?.delaySeconds).toBeGreaterThan(1);
  });

  it('lets the message come again when the database cannot be asked for the job', async () => {
    let isDown = false;
    const down = () => Promise.reject(new AgentMemoryError('unavailable', 'no database'));
    const { fixture, queue, handler } = await startBackground(
      { memory_extraction: [{ memories: [MEMORY] }] },
      {
        wrapTransport: (transport): SqlTransport => ({
          ...transport,
          query: (...call) => (isDown ? down() : transport.query(...call)),
          executeAtomic: (...call) => (isDown ? down() : transport.executeAtomic(...call)),
        }),
      },
    );
    const jobId = await addMessage(fixture);
    isDown = true;
    expect(await handler(lastEvent(queue), invocation())).toEqual(AGAIN);
    isDown = false;
    expect(await handler(lastEvent(queue), invocation())).toEqual(DONE);
    expect(await fixture.client.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });

  it('leaves a message that it cannot read to the dead-letter queue', async () => {
    const { fixture, handler } = await startBackground({});
    const event = sqsEvent(sqsRecord('{"job":"secret"}', 'message'));
    expect(await handler(event, invocation())).toEqual(AGAIN);
    expect(JSON.stringify(fixture.logged)).not.toContain('secret');
  });
});

describe('the sweep', () => {
  it('wakes a job whose wake-up the queue did not take', async () => {
    const { fixture, queue, handler } = await startBackground({
      memory_extraction: [{ memories: [MEMORY] }],
    });
    queue.setAvailable(false);
    const jobId = await addMessage(fixture);
    expect(fixture.logged).toContainEqual({
      level: 'warn',
      event: 'job_wake_up_failed',
      fields: expect.objectContaining({ operation: 'addMessages' }),
    });
    const sweep = () => runScheduledJob(sweepJob, fixture.services, new AbortController().signal);
    await age(fixture);
    expect(await sweep()).toMatchObject({ woken: 0, failedWakeUps: 1 });
    queue.setAvailable(true);
    expect(await sweep()).toMatchObject({ woken: 1, failedWakeUps: 0 });
    expect(await sweep()).toMatchObject({ woken: 0, failedWakeUps: 0 });
    expect(queue.sent).toEqual([{ jobId, delaySeconds: 0 }]);
    expect(await handler(lastEvent(queue), invocation())).toEqual(DONE);
    expect(await fixture.client.getJob(jobId)).toMatchObject({ status: 'succeeded', attempt: 1 });
  });
});
