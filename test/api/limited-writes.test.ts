import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { Job } from '../../lib/schemas/job.ts';
import { type MemoryRecord, RECORD_TYPES } from '../../lib/schemas/record.ts';
import type { ApiFixture } from './api-fixture.ts';
import {
  clientOf,
  fillLimitedStage,
  isInside,
  isVisible,
  LIMITED,
  startLimitedApi,
  THREADS,
} from './limited-callers.ts';

let api: ApiFixture;
let all: AgentMemoryApi;
let records: readonly MemoryRecord[];
let jobs: readonly Job[];

beforeAll(async () => {
  api = await startLimitedApi();
  all = clientOf(api, 'key-all');
  await fillLimitedStage(all);
  const found: MemoryRecord[] = [];
  for (const recordType of RECORD_TYPES)
    for await (const record of all.records.iterate({ recordType })) found.push(record);
  records = found;
  jobs = (await all.listJobs()).items;
}, 60_000);
afterAll(() => api.close());

const CHANGE = { metadata: { touched: true } };
/** What a caller may be told of something that is not theirs; a delete or an update of a record says 0. */
const REFUSED = /^(?:forbidden|not_found|0)$/;

async function outcomeOf(call: Promise<unknown>): Promise<string> {
  try {
    return String(await call);
  } catch (error) {
    return String(Object(error).code);
  }
}

/** All rows of the store as they are, but the records of requests. */
async function readRows(): Promise<string> {
  const session = api.emulator.engine.openSession();
  try {
    const tables = ['memory_thread', 'memory_record', 'memory_chunk', 'memory_job'];
    const read = tables.map((table) => session.execute(`SELECT x.* FROM ${table} x`, []));
    const rows = (await Promise.all(read)).flatMap((result) => result.rows.map((row) => JSON.stringify(row)));
    return rows.toSorted().join('\n');
  } finally {
    await session.close();
  }
}

describe.each(Object.entries(LIMITED))('%s', (key, limits) => {
  it('changes nothing that is not its own', async () => {
    const memory = clientOf(api, key);
    const before = await readRows();
    const foreign = records.filter((record) => !isVisible(record, limits));
    const threads = THREADS.filter((thread) => !isInside(thread, limits));
    for (const { recordType, id } of foreign) {
      const calls = [
        memory.records.update(recordType, id, CHANGE),
        memory.records.update(recordType, id, {}),
        memory.records.update(recordType, id, { content: 'touched' }),
        memory.records.delete(recordType, id),
      ];
      if (recordType === 'user_profile')
        calls.push(memory.updateUser(id, CHANGE).then(Number), memory.deleteUser(id));
      else if (recordType === 'agent_profile')
        calls.push(memory.updateAgent(id, CHANGE).then(Number), memory.deleteAgent(id));
      else if (recordType !== 'message')
        calls.push(memory.updateMemory(id, CHANGE).then(Number), memory.deleteMemory(id));
      const outcomes = await Promise.all(calls.map(outcomeOf));
      for (const outcome of outcomes) expect([id, outcome]).toEqual([id, expect.stringMatching(REFUSED)]);
    }
    for (const { threadId } of threads) {
      const thread = (await all.getThread(threadId)).withIdempotencyKey('unused');
      const path = `/v1/threads/${encodeURIComponent(threadId)}`;
      const send = async (method: string, url: string, body?: object) => {
        const init = body === undefined ? {} : { body: JSON.stringify(body) };
        const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
        const response = await api.app.request(url, { method, headers, ...init });
        const answer = Object(await response.json());
        return String(answer.code ?? answer.deleted ?? 'done');
      };
      const [message] = await thread.getMessages();
      const memoryId = records.find((record) => record.threadId === threadId)?.id ?? 'none';
      const outcomes = [
        await outcomeOf(memory.updateThread(threadId, CHANGE)),
        await outcomeOf(memory.updateThread(threadId, {})),
        await outcomeOf(memory.deleteThread(threadId)),
        await send('POST', `${path}/messages`, { messages: [{ role: 'user', content: 'touched' }] }),
        await send('PATCH', `${path}/messages/${message?.id}`, { content: 'touched' }),
        await send('DELETE', `${path}/messages/${message?.id}`),
        await send('POST', `${path}/memories`, { content: 'touched' }),
        await send('PATCH', `${path}/memories/${memoryId}`, CHANGE),
        await send('DELETE', `${path}/memories/${memoryId}`),
      ];
      for (const outcome of outcomes)
        expect([threadId, outcome]).toEqual([threadId, expect.stringMatching(REFUSED)]);
    }
    for (const job of jobs) {
      if (THREADS.some((thread) => thread.threadId === job.threadId && isInside(thread, limits))) continue;
      expect(await outcomeOf(memory.retryJob(job.jobId))).toBe('not_found');
      expect(await outcomeOf(memory.cancelJob(job.jobId))).toBe('not_found');
    }
    expect(await readRows()).toBe(before);
  });

  it('adds nothing that it could not see afterwards', async () => {
    const memory = clientOf(api, key);
    const before = await readRows();
    const fields = { users: 'userId', agents: 'agentId', threads: 'threadId' } as const;
    for (const [list, field] of Object.entries(fields)) {
      if (limits[list === 'users' ? 'users' : list === 'agents' ? 'agents' : 'threads'] === undefined)
        continue;
      for (const value of ['somebody-else', null]) {
        const owners = { ...ownersInside(), [field]: value };
        const batch = { recordType: 'fact' as const, contents: ['x'], [`${field}s`]: value };
        expect(await outcomeOf(memory.addMemory('x', owners))).toBe('forbidden');
        expect(await outcomeOf(memory.records.add(batch))).toBe('forbidden');
        expect(await outcomeOf(memory.records.addBatches([batch]))).toBe('forbidden');
      }
      const { [field]: _, ...rest } = ownersInside();
      expect(await outcomeOf(memory.addMemory('x', rest))).toBe('forbidden');
      expect(await outcomeOf(memory.records.add({ recordType: 'fact', contents: ['x'] }))).toBe('forbidden');
      if (field === 'threadId') continue;
      expect(
        await outcomeOf(
          memory.createThread({ ...ownersInside(), threadId: 'new', [field]: 'somebody-else' }),
        ),
      ).toBe('forbidden');
    }
    for (const recordType of ['user_profile', 'agent_profile'] as const) {
      const add = memory.records.add({ recordType, contents: ['x'], recordIds: 'somebody-else' });
      expect(await outcomeOf(add)).toBe('forbidden');
      expect(await outcomeOf(memory.records.add({ recordType, contents: ['x'] }))).toBe('forbidden');
    }
    expect(await outcomeOf(memory.addUser('somebody-else', 'x'))).toBe('forbidden');
    expect(await outcomeOf(memory.addAgent('somebody-else', 'x'))).toBe('forbidden');
    expect(await readRows()).toBe(before);
  });

  /** The first id of each list; without a list an id that anybody may use. */
  function ownersInside(): Record<'userId' | 'agentId' | 'threadId', string | undefined> {
    return {
      userId: limits.users === undefined ? 'ana' : limits.users[0],
      agentId: limits.agents === undefined ? 'guide' : limits.agents[0],
      threadId: limits.threads?.[0],
    };
  }
});

describe('within its limits a caller', () => {
  it('creates threads with the only ids that it may use, and has to say which of several', async () => {
    const one = clientOf(api, 'key-ana');
    const thread = await one.createThread();
    expect(thread.userId).toBe('ana');
    expect(thread.agentId).not.toBe('guide');
    await expect(clientOf(api, 'key-two').createThread()).rejects.toMatchObject({
      code: 'invalid_request',
      issues: [{ path: 'userId', message: expect.any(String) }],
    });
    await expect(clientOf(api, 'key-nobody').createThread()).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const pair = clientOf(api, 'key-pair');
    expect(await pair.createThread({ userId: 'bob' })).toMatchObject({ userId: 'bob', agentId: 'cook' });
    await expect(clientOf(api, 'key-thread').createThread()).rejects.toMatchObject({
      issues: [{ path: 'threadId', message: expect.any(String) }],
    });
    await all.deleteThread('ana/guide');
    const only = clientOf(api, 'key-all-three');
    expect(await only.createThread()).toMatchObject({
      threadId: 'ana/guide',
      userId: 'ana',
      agentId: 'guide',
    });
    await expect(only.createThread()).rejects.toMatchObject({ code: 'conflict' });
  });

  it('adds, changes and deletes as anybody else', async () => {
    const memory = clientOf(api, 'key-ana');
    const thread = await memory.createThread({ threadId: 'of-ana', agentId: 'guide' });
    const { ids } = await thread.addMessages([{ role: 'user', content: 'Hello.' }]);
    const memoryId = await thread.addMemory('Ana rows.');
    expect(await memory.getMemory(memoryId)).toMatchObject({ userId: 'ana', threadId: 'of-ana' });
    expect(await memory.updateMemory(memoryId, { content: 'Ana swims.' })).toBe(memoryId);
    expect(await thread.updateMemory(memoryId, CHANGE)).toBe(memoryId);
    expect(await thread.updateMessage(ids[0] ?? '', CHANGE)).toMatchObject({ id: ids[0] });
    expect(await memory.updateThread('of-ana', CHANGE)).toMatchObject(CHANGE);
    const [id = ''] = await memory.records.add({ recordType: 'fact', contents: ['x'], userIds: 'ana' });
    expect(await memory.records.update('fact', id, CHANGE)).toBe(1);
    expect(await memory.updateUser('ana', CHANGE)).toBe('ana');
    const [job] = (await thread.getExtraction()).jobs;
    await expect(memory.cancelJob(job?.jobId ?? '')).rejects.toMatchObject({ code: 'conflict' });
    expect(await memory.records.delete('fact', id)).toBe(1);
    expect(await thread.deleteMessage(ids[0] ?? '')).toBe(1);
    expect(await memory.deleteThread('of-ana')).toBe(1);
    await expect(memory.getMemory(memoryId)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('deletes with a thread and in a cascade only what is its own', async () => {
    const memory = clientOf(api, 'key-pair');
    const thread = await all.createThread({ threadId: 'shared', userId: 'bob', agentId: 'cook' });
    const threadIds = ['shared', 'bob/cook'];
    const ofCarl = await all.records.add({
      recordType: 'message',
      contents: ['Carl was here.', 'And here.'],
      roles: 'user',
      threadIds,
      userIds: 'carl',
    });
    const [foreign, own] = [
      await thread.addMemory('x', { userId: 'ana', agentId: 'guide' }),
      await thread.addMemory('y'),
    ];
    expect(await memory.deleteThread('shared')).toBe(1);
    await expect(all.getMemory(own)).rejects.toMatchObject({ code: 'not_found' });
    expect(
      (await all.records.list({ recordType: 'message', userId: 'carl' })).items.map(({ id }) => id),
    ).toEqual([ofCarl[1]]);
    expect(await all.getMemory(foreign)).toMatchObject({ threadId: 'shared' });
    expect(await memory.deleteThread('shared')).toBe(0);
    expect(await all.deleteThread('shared')).toBe(0);
    await expect(all.getMemory(foreign)).rejects.toMatchObject({ code: 'not_found' });

    const expected = await memory.deleteUser('bob', { cascade: true, dryRun: true });
    const others = (await all.listThreads({ userId: 'bob', agentId: 'guide' })).items.length;
    expect(await memory.deleteUser('bob', { cascade: true })).toBe(expected);
    expect((await all.listThreads({ userId: 'bob', agentId: 'cook' })).items).toEqual([]);
    expect((await all.listThreads({ userId: 'bob', agentId: 'guide' })).items).toHaveLength(others);
    await expect(all.getUser('bob')).rejects.toMatchObject({ code: 'not_found' });
    expect((await all.records.list({ recordType: 'message', userId: 'carl' })).items).toEqual([]);
    expect(others).toBeGreaterThan(0);
  });
});
