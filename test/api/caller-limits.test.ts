import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import type { CallerLimits } from '../../lib/schemas/caller-limits.ts';
import type { Job } from '../../lib/schemas/job.ts';
import { type MemoryRecord, RECORD_TYPES } from '../../lib/schemas/record.ts';
import type { ApiFixture, ApiFixtureOptions } from './api-fixture.ts';
import {
  AGENTS,
  clientOf,
  fillLimitedStage,
  isInside,
  isVisible,
  LIMITED,
  startLimitedApi,
  THREADS,
  USERS,
} from './limited-callers.ts';

const PAGE = 3;

interface Stage {
  readonly name: string;
  readonly options: ApiFixtureOptions;
  readonly keys: readonly string[];
  /** Whether a record is as far from a query whatever else the caller sees: words are weighed within what is seen. */
  readonly ranksAlike: boolean;
}

const SOME_KEYS = ['key-two', 'key-guide', 'key-own-thread', 'key-nobody'];
const STAGES: readonly Stage[] = [
  { name: 'by vector', options: {}, keys: Object.keys(LIMITED), ranksAlike: true },
  {
    name: 'by vector and words',
    options: { variables: { SEARCH_STRATEGY: 'hybrid' } },
    keys: SOME_KEYS,
    ranksAlike: false,
  },
  {
    name: 'by statements that do not vary',
    options: { wrapTransport: (transport) => ({ ...transport, capabilities: FIXED }) },
    keys: SOME_KEYS,
    ranksAlike: true,
  },
  {
    name: 'where the database isolates rows too',
    options: { isolatesRows: true },
    keys: [...SOME_KEYS, 'key-pair'],
    ranksAlike: true,
  },
];
const FIXED = { maxRows: 10_000, fixedStatements: true };

let api: ApiFixture;
let all: AgentMemoryApi;
/** Everything that the store holds, as a caller without limits reads it. */
let records: readonly MemoryRecord[];
let jobs: readonly Job[];

async function openStage({ options }: Stage): Promise<void> {
  api = await startLimitedApi(options);
  all = clientOf(api, 'key-all');
  await fillLimitedStage(all);
  const lists = RECORD_TYPES.map((recordType) => readAll(all.records.iterate({ recordType })));
  records = (await Promise.all(lists)).flat();
  jobs = await readAll(all.iterateJobs());
}

async function readAll<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}

const idsOf = (items: readonly { readonly id: string }[]) => items.map(({ id }) => id);
const isThreadVisible = (threadId: string, limits: CallerLimits) =>
  THREADS.some((thread) => thread.threadId === threadId && isInside(thread, limits));

/** How a read of something outside is refused: by the id that it names, or as if it did not exist. */
function refusal(isNamed: boolean) {
  return { code: isNamed ? 'forbidden' : 'not_found' };
}

/** All pages; each is full but the last, so that nothing was left out of one after it was read. */
async function readPages<Item>(
  list: (
    cursor: string | undefined,
  ) => Promise<{ readonly items: readonly Item[]; readonly nextCursor: string | null }>,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor);
    cursor = page.nextCursor ?? undefined;
    if (cursor !== undefined) expect(page.items).toHaveLength(PAGE);
    items.push(...page.items);
  } while (cursor !== undefined);
  return items;
}

describe.each(STAGES.map((stage) => [stage.name, stage] as const))('%s', (_, stage) => {
  beforeAll(() => openStage(stage), 60_000);
  afterAll(() => api.close());
  const inOrder = (items: readonly { readonly id: string }[]) =>
    stage.ranksAlike ? idsOf(items) : idsOf(items).toSorted();

  it('the stage has something inside and outside for every caller that it means to', () => {
    for (const [key, limits] of Object.entries(LIMITED)) {
      const visible = records.filter((record) => isVisible(record, limits));
      const isEmpty = key === 'key-nobody' || key === 'key-stranger';
      expect([key, visible.length > 0, visible.length < records.length]).toEqual([key, !isEmpty, true]);
    }
    expect(records.length).toBeGreaterThan(80);
    expect(jobs).toHaveLength(THREADS.length);
  });

  describe.each(stage.keys.map((key) => [key, LIMITED[key] ?? {}] as const))('%s %j', (key, limits) => {
    let memory: AgentMemoryApi;
    let visible: readonly MemoryRecord[];
    beforeAll(() => {
      memory = clientOf(api, key);
      visible = records.filter((record) => isVisible(record, limits));
    });
    const ofType = (...types: readonly string[]) =>
      visible.filter(({ recordType }) => types.includes(recordType));

    async function readableThreads(): Promise<readonly ThreadApi[]> {
      const own = THREADS.filter((thread) => isInside(thread, limits));
      return Promise.all(own.map(({ threadId }) => memory.getThread(threadId)));
    }

    it('lists its threads, in full pages', async () => {
      const listed = await readPages((cursor) => memory.listThreads({ limit: PAGE, cursor }));
      const expected = THREADS.filter((thread) => isInside(thread, limits)).toReversed();
      expect(listed.map(({ threadId }) => threadId)).toEqual(expected.map(({ threadId }) => threadId));
    });

    it('lists its memories, records and profiles, in full pages', async () => {
      for (const recordType of RECORD_TYPES) {
        const listed = await readPages((cursor) => memory.records.list({ recordType, limit: PAGE, cursor }));
        expect(idsOf(listed), recordType).toEqual(idsOf(ofType(recordType)));
      }
      const memories = await readPages((cursor) => memory.listMemories({ limit: PAGE, cursor }));
      const expected = ofType('memory', 'fact', 'preference', 'guideline');
      expect(idsOf(memories).toSorted()).toEqual(idsOf(expected).toSorted());
      const users = await readPages((cursor) => memory.listUsers({ limit: PAGE, cursor }));
      expect(idsOf(users)).toEqual(idsOf(ofType('user_profile')));
      const agents = await readPages((cursor) => memory.listAgents({ limit: PAGE, cursor }));
      expect(idsOf(agents)).toEqual(idsOf(ofType('agent_profile')));
    });

    it('reads one thing by its id only when it is its own', async () => {
      for (const record of records) {
        const { recordType, id } = record;
        const isOwn = visible.includes(record);
        const isProfile = recordType.endsWith('_profile');
        const list = recordType === 'user_profile' ? limits.users : limits.agents;
        const refused = refusal(isProfile && list !== undefined);
        const reads = [() => memory.records.get(recordType, id)];
        if (recordType === 'user_profile') reads.push(() => memory.getUser(id));
        else if (recordType === 'agent_profile') reads.push(() => memory.getAgent(id));
        else if (recordType !== 'message') reads.push(() => memory.getMemory(id));
        for (const read of reads) {
          if (isOwn) expect(await read()).toEqual(record);
          else await expect(read(), id).rejects.toMatchObject(refused);
        }
      }
      await expect(memory.getMemory('no-such-memory')).rejects.toMatchObject({ code: 'not_found' });
    });

    it('reads threads, their messages, cards, summaries and extraction only when they are its own', async () => {
      for (const { threadId } of THREADS) {
        const isOwn = isThreadVisible(threadId, limits);
        const thread = isOwn ? await memory.getThread(threadId) : undefined;
        const refused = refusal(limits.threads !== undefined && !limits.threads.includes(threadId));
        if (thread === undefined) {
          await expect(memory.getThread(threadId)).rejects.toMatchObject(refused);
          const foreign = await all.getThread(threadId);
          for (const [method, path, body] of [
            ['GET', 'messages', undefined],
            ['GET', 'extraction', undefined],
            ['POST', 'search', { query: 'garden' }],
            ['POST', 'context-card', {}],
            ['POST', 'summary', {}],
            ['POST', 'wait-for-extraction', { timeoutSeconds: 0 }],
          ] as const) {
            const url = `/v1/threads/${encodeURIComponent(foreign.threadId)}/${path}`;
            const response = await api.app.request(url, {
              method,
              headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
              ...(body === undefined ? {} : { body: JSON.stringify(body) }),
            });
            expect(await response.json(), path).toMatchObject(refused);
          }
          continue;
        }
        const messages = await thread.getMessages({ start: 0, end: -1 });
        const own = ofType('message').filter((message) => message.threadId === threadId);
        expect(idsOf(messages)).toEqual(idsOf(own));
        const { jobs: shown } = await thread.getExtraction();
        expect(shown).toEqual(jobs.filter((job) => job.threadId === threadId));
        expect(await thread.waitForExtraction()).toEqual({ succeeded: 1, failed: 0 });
      }
    });

    it('finds nothing of others by a search, however it is scoped', async () => {
      const foreign = records.filter((record) => !visible.includes(record));
      const request = { query: 'garden', k: 1_000 };
      const ranked = (await all.records.search(request)).filter(({ record }) => isVisible(record, limits));
      expect(inOrder(await memory.records.search(request))).toEqual(inOrder(ranked));
      const first = await memory.records.search({ query: 'garden', k: PAGE });
      expect(first).toHaveLength(Math.min(PAGE, ranked.length));
      if (stage.ranksAlike) expect(idsOf(first)).toEqual(idsOf(ranked).slice(0, PAGE));
      for (const userId of [...USERS, null]) {
        const isNamed = limits.users !== undefined && (userId === null || !limits.users.includes(userId));
        const search = memory.search('garden', { userId, maxResults: 1_000 });
        if (isNamed) {
          await expect(search).rejects.toMatchObject({ code: 'forbidden' });
          continue;
        }
        const expected = (await all.search('garden', { userId, maxResults: 1_000 })).filter(({ record }) =>
          isVisible(record, limits),
        );
        expect(inOrder(await search)).toEqual(inOrder(expected));
      }
      for (const thread of await readableThreads()) {
        const whole = await thread.search('garden', {
          maxResults: 1_000,
          exactUserMatch: false,
          exactAgentMatch: false,
        });
        expect(whole.filter(({ record }) => !isVisible(record, limits))).toEqual([]);
        expect(whole.length).toBe(visible.length);
        const card = await thread.getContextCard({ maxRelevantResults: 100, maxRecentMessages: 100 });
        const summary = await thread.getSummary({ tokenBudget: 0 });
        for (const { content } of foreign) {
          expect(card.content).not.toContain(content ?? '?');
          expect(summary.content).not.toContain(content ?? '?');
        }
      }
    });

    it('lists and reads the jobs of its threads', async () => {
      const own = jobs.filter(({ threadId }) => isThreadVisible(threadId, limits));
      expect(await readPages((cursor) => memory.listJobs({ limit: PAGE, cursor }))).toEqual(own);
      for (const job of jobs) {
        if (own.includes(job)) expect(await memory.getJob(job.jobId)).toEqual(job);
        else await expect(memory.getJob(job.jobId)).rejects.toMatchObject({ code: 'not_found' });
      }
    });

    it('exports of a user what it sees, and reads history and audit entries of that alone', async () => {
      for (const user of USERS) {
        const lines = readAll(memory.exportUser(user));
        if (limits.users !== undefined && !limits.users.includes(user)) {
          await expect(lines).rejects.toMatchObject({ code: 'forbidden' });
          await expect(memory.listAudit({ userId: user })).rejects.toMatchObject({ code: 'forbidden' });
          continue;
        }
        const own = THREADS.filter((thread) => thread.userId === user && isInside(thread, limits));
        const expected = visible.filter(
          (record) =>
            record.recordType !== 'agent_profile' &&
            (record.userId === user ||
              own.some(({ threadId }) => threadId === record.threadId) ||
              (record.recordType === 'user_profile' && record.id === user)),
        );
        const read = (await lines).flatMap((line) => (line.type === 'record' ? [line.recordId] : []));
        expect(read.toSorted()).toEqual(idsOf(expected).toSorted());
        const threads = (await lines).flatMap((line) => (line.type === 'thread' ? [line.threadId] : []));
        expect(threads.toSorted()).toEqual(own.map(({ threadId }) => threadId).toSorted());
      }
      const everything = await readAll(all.iterateAudit());
      const entries = await readAll(memory.iterateAudit());
      expect(entries).toEqual(everything.filter((entry) => isInside(entry, limits)));
      for (const record of records.filter(({ recordType }) => recordType === 'fact')) {
        const history = memory.getMemoryHistory(record.id);
        if (isVisible(record, limits)) expect((await history).items).toEqual([]);
        else await expect(history).rejects.toMatchObject({ code: 'not_found' });
      }
    });

    it('counts for a cascade only what it could remove', async () => {
      const actors = [
        ...USERS.map((id) => ['users', id] as const),
        ...AGENTS.map((id) => ['agents', id] as const),
      ];
      for (const [list, id] of actors) {
        const remove = list === 'users' ? memory.deleteUser(id, DRY_RUN) : memory.deleteAgent(id, DRY_RUN);
        const allowed = limits[list];
        if (allowed !== undefined && !allowed.includes(id)) {
          await expect(remove).rejects.toMatchObject({ code: 'forbidden' });
          continue;
        }
        const owner = list === 'users' ? 'userId' : 'agentId';
        const profile = list === 'users' ? 'user_profile' : 'agent_profile';
        const threads = THREADS.filter((thread) => thread[owner] === id && isInside(thread, limits));
        const removed = visible.filter(
          (record) =>
            record[owner] === id ||
            threads.some(({ threadId }) => threadId === record.threadId) ||
            (record.recordType === profile && record.id === id),
        );
        expect([id, await remove]).toEqual([id, threads.length + removed.length]);
      }
    });

    it('refuses what it names outside its limits', async () => {
      const named = { users: 'userId', agents: 'agentId', threads: 'threadId' } as const;
      for (const [list, field] of Object.entries(named)) {
        if (limits[list as keyof CallerLimits] === undefined) continue;
        const refused = { code: 'forbidden', message: expect.stringContaining(field) };
        const other = { [field]: 'somebody-else' };
        await expect(memory.listMemories(other)).rejects.toMatchObject(refused);
        await expect(memory.records.list({ recordType: 'fact', ...other })).rejects.toMatchObject(refused);
        await expect(memory.records.list({ recordType: 'fact', [field]: null })).rejects.toMatchObject(
          refused,
        );
        await expect(memory.records.search({ query: 'a', k: 1, ...other })).rejects.toMatchObject(refused);
        if (field !== 'threadId') await expect(memory.listThreads(other)).rejects.toMatchObject(refused);
        else await expect(memory.listJobs(other)).rejects.toMatchObject(refused);
        for (const thread of await readableThreads())
          await expect(thread.search('a', { scope: other })).rejects.toMatchObject(refused);
      }
    });
  });
});

const DRY_RUN = { cascade: true, dryRun: true } as const;
