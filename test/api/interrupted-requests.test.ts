import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import type { Clock } from '../../lib/clock.ts';
import { createManualClock, createScriptedLlm } from '../../lib/testing/index.ts';
import { type ApiFixture, startApi } from './api-fixture.ts';
import { type Answer, post } from './repeated-request.ts';

const CONVERSATION = { messages: [{ role: 'user', content: 'I live in Rome.' }] };
const MEMORY = { type: 'fact', content: 'Lives in Rome.', importance: 3, entities: [], topic: 'home' };
const FOUND = { memories: [{ ...MEMORY, sourceMessageIds: [], supersedes: [] }] };
const MINED = { extractMemories: true, enableContextSummary: false } as const;

let api: ApiFixture;
/** Answers of the database that are lost after their commit, from the next on. */
let lostAnswers = 0;
/** The next insert of a key meets one that another request commits at the same moment: one engine session cannot race. */
let isKeyTaken = false;
/** The model waits for `answer` once it was called. */
let held:
  | { readonly called: PromiseWithResolvers<void>; readonly answer: PromiseWithResolvers<void> }
  | undefined;
/** Happens while a request waits for another. */
let duringWait: (() => Promise<unknown>) | undefined;
const time = createManualClock({ start: new Date() });
const leases = createManualClock({ sleepAdvances: false });
/** Pauses between two looks move the time; the renewal of a lease, which comes after longer ones, is never due. */
const clock: Clock = {
  now: time.now,
  async sleep(milliseconds, signal) {
    if (milliseconds > 2_000) return leases.sleep(milliseconds, signal);
    await duringWait?.();
    await time.sleep(milliseconds, signal);
  },
};
const llm = createScriptedLlm(async () => {
  held?.called.resolve();
  await held?.answer.promise;
  return FOUND;
});

beforeAll(async () => {
  api = await startApi({
    llm,
    clock,
    faults: {
      beforeStatement(text) {
        if (!isKeyTaken || !text.includes('INSERT INTO MEMORY_REQUEST')) return;
        isKeyTaken = false;
        throw new OracleError(1, 'unique constraint (MEMORY.MEMORY_REQUEST_PK) violated');
      },
      afterCommit() {
        if (lostAnswers === 0) return;
        lostAnswers -= 1;
        throw new Error('the answer is lost');
      },
    },
  });
});
afterAll(() => api?.close());

function addConversation(thread: string): Promise<Answer> {
  return post(api.app, `/threads/${thread}/messages`, CONVERSATION, 'key');
}

/** Sends the conversation to a new thread and comes back while its model is being called. */
async function startPass(thread: string): Promise<{ readonly first: Promise<Answer>; release(): void }> {
  await api.client.createThread({ threadId: thread, extraction: MINED });
  held = { called: Promise.withResolvers(), answer: Promise.withResolvers() };
  const { called, answer } = held;
  const first = addConversation(thread);
  await called.promise;
  return {
    first,
    release() {
      held = undefined;
      answer.resolve();
    },
  };
}

async function execute(sql: string): Promise<void> {
  const session = api.emulator.engine.openSession();
  await session.execute(sql, []);
  await session.commit();
  await session.close();
}

describe('an add whose answer is lost on the way from the database', () => {
  it('is made once when the client comes again', async () => {
    const rows = await api.countRows();
    lostAnswers = 1;
    const id = await api.client.addMemory('Ana rows.', { userId: 'lost' });
    expect(lostAnswers).toBe(0);
    const { items } = await api.client.listMemories({ userId: 'lost' });
    expect(items.map((memory) => memory.id)).toEqual([id]);
    // The record, its retrieval row, the key and the entry of the audit trail.
    expect(await api.countRows()).toBe(rows + 4);
  });

  it('is answered as it was made', async () => {
    lostAnswers = 1;
    const thread = await api.client.createThread({ metadata: { n: 1 } });
    expect(await api.client.getThread(thread.threadId)).toMatchObject({
      createdAt: thread.createdAt,
      metadata: { n: 1 },
    });
    lostAnswers = 1;
    const { ids } = await thread.addMessages([{ role: 'user', content: 'a' }]);
    expect((await thread.getMessages()).map((message) => message.id)).toEqual(ids);
  });
});

describe('a request that comes again while the first still runs', () => {
  it('waits and gets its answer', async () => {
    const pass = await startPass('waiting');
    const calls = llm.calls.length;
    duringWait = () => {
      pass.release();
      return pass.first;
    };
    const repeated = await addConversation('waiting');
    duringWait = undefined;
    const first = await pass.first;
    expect(JSON.parse(first.text).extraction).toMatchObject({ status: 'completed' });
    expect([repeated.text, repeated.replayed, first.replayed]).toEqual([first.text, 'true', null]);
    expect(llm.calls).toHaveLength(calls);
  });

  it('is told to come later after 20 seconds', async () => {
    const pass = await startPass('impatient');
    const before = clock.now().getTime();
    const second = await addConversation('impatient');
    expect(JSON.parse(second.text)).toMatchObject({ status: 409, code: 'conflict' });
    expect([second.retryAfter, second.replayed]).toEqual(['5', null]);
    expect(clock.now().getTime() - before).toBe(20_000);
    expect(second.db).toBeLessThan(20);
    pass.release();
    const first = await pass.first;
    expect((await addConversation('impatient')).text).toBe(first.text);
  });

  it('is told of the messages when the first died in its pass', async () => {
    const pass = await startPass('dead');
    await execute(
      `UPDATE memory_job j SET j.lease_until = SYSTIMESTAMP - INTERVAL '1' SECOND WHERE j.status = 'running'`,
    );
    const second = JSON.parse((await addConversation('dead')).text);
    expect(second.extraction).toMatchObject({ status: 'failed', reason: { code: 'timeout' } });
    pass.release();
    expect(JSON.parse((await pass.first).text).ids).toEqual(second.ids);
  });
});

describe('a key that two requests insert at the same moment', () => {
  const body = { content: 'Ana rows.', userId: 'race' };

  it('is the change of the one that commits, and the other gets its answer', async () => {
    const first = await post(api.app, '/memories', body, 'race');
    isKeyTaken = true;
    const second = await post(api.app, '/memories', body, 'race');
    expect(isKeyTaken).toBe(false);
    expect(second).toMatchObject({ text: first.text, replayed: 'true' });
  });

  it('is a conflict when the other is not to be found, and nothing is written', async () => {
    const rows = await api.countRows();
    isKeyTaken = true;
    expect((await post(api.app, '/memories', body, 'race-2')).status).toBe(409);
    expect(await api.countRows()).toBe(rows);
  });
});

describe('a key that is forgotten', () => {
  it('makes no second copy of what it added', async () => {
    const body = { content: 'Ana rows.', userId: 'late' };
    const first = await post(api.app, '/memories', body, 'late');
    await execute('DELETE FROM memory_request q');
    const rows = await api.countRows();
    expect((await post(api.app, '/memories', body, 'late')).status).toBe(409);
    expect(await api.countRows()).toBe(rows);
    await api.client.deleteMemory(JSON.parse(first.text).id);
    expect(await post(api.app, '/memories', body, 'late')).toMatchObject({
      text: first.text,
      replayed: null,
    });
  });
});

describe('a request whose extraction runs in the background', () => {
  const sent: string[] = [];
  let queued: ApiFixture;
  /** Resolved when a repeated request looks for its first one. */
  let looked = Promise.withResolvers<void>();
  /** What a worker does the moment it hears of a job. */
  let work: ((jobId: string) => Promise<unknown>) | undefined;

  beforeAll(async () => {
    queued = await startApi({
      llm,
      variables: { QUEUE_CAPACITY: '1' },
      faults: {
        beforeStatement(text) {
          if (text.includes('FROM MEMORY_REQUEST q\n')) looked.resolve();
        },
      },
      jobQueue: {
        async send({ jobId }) {
          sent.push(jobId);
          await work?.(jobId);
        },
        close: () => Promise.resolve(),
      },
    });
  });
  afterAll(() => queued?.close());

  const add = (thread: string) =>
    post(queued.app, `/threads/${thread}/messages`, CONVERSATION, 'key', { 'X-Request-Id': 'same' });

  async function openThread(
    threadId: string,
    behavior: 'drop' | 'wait_then_drop' | 'wait_then_raise',
    putTimeoutSeconds = 0,
  ): Promise<void> {
    const extraction = {
      ...MINED,
      extractionMode: 'background',
      backgroundExtractionQueueFullBehavior: behavior,
      backgroundExtractionQueuePutTimeoutSeconds: putTimeoutSeconds,
    } as const;
    await queued.client.createThread({ threadId, extraction });
  }

  it('says queued again when the job has ended long since, and wakes nobody', async () => {
    await openThread('queued', 'drop');
    work = (jobId) => queued.client.cancelJob(jobId);
    const first = await add('queued');
    work = undefined;
    expect(JSON.parse(first.text).extraction).toMatchObject({ status: 'queued' });
    expect(await add('queued')).toMatchObject({ text: first.text, replayed: 'true' });
    expect(sent).toEqual([JSON.parse(first.text).extraction.jobId]);
  });

  it('is answered by a retry as the job waited, however quick a worker is', async () => {
    const [jobId = ''] = sent;
    work = (each) => queued.client.cancelJob(each);
    const first = await post(queued.app, `/jobs/${jobId}/retry`, undefined, 'retry');
    work = undefined;
    expect(JSON.parse(first.text)).toMatchObject({ jobId, status: 'pending' });
    expect(await post(queued.app, `/jobs/${jobId}/retry`, undefined, 'retry')).toMatchObject({
      text: first.text,
      replayed: 'true',
    });
    const cancelled = await queued.client.retryJob(jobId);
    expect(cancelled.status).toBe('pending');
  });

  it.each([
    ['drop', 201],
    ['wait_then_raise', 503],
  ] as const)('with a full queue that lets it %s is answered so again', async (behavior, status) => {
    await openThread(behavior, behavior);
    const first = await add(behavior);
    expect(first.status).toBe(status);
    const body = JSON.parse(first.text);
    const expected =
      status === 201
        ? { extraction: { status: 'dropped' } }
        : { code: 'extraction_queue_full', ids: [expect.any(String)] };
    expect(body).toMatchObject(expected);
    expect(await add(behavior)).toMatchObject({ status, text: first.text, replayed: 'true' });
    const messages = await (await queued.client.getThread(behavior)).getMessages();
    expect(messages.map(({ id }) => id)).toEqual(body.ids);
  });

  it('waits with the first for room in the queue', async () => {
    await openThread('roomy', 'wait_then_drop', 60);
    const first = add('roomy');
    await expect.poll(async () => (await queued.client.getThread('roomy')).getMessages()).toHaveLength(1);
    looked = Promise.withResolvers();
    const second = add('roomy');
    await looked.promise;
    const { items } = await queued.client.listJobs({ status: 'pending' });
    for (const { jobId } of items) await queued.client.cancelJob(jobId);
    expect(JSON.parse((await first).text).extraction).toMatchObject({ status: 'queued' });
    expect(await second).toMatchObject({ text: (await first).text, replayed: 'true' });
  });
});
