import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { JobStart, MessageAppend, StoredMessage } from '../../lib/store/messages/stored-message.ts';
import type { ActorFamily, NewRecord, RecordFamily } from '../../lib/store/records/stored-record.ts';
import type { StoreSearch } from '../../lib/store/search/store-search.ts';
import type { StoredThread } from '../../lib/store/threads/stored-thread.ts';
import type { ManualClock } from '../../lib/testing/index.ts';
import { createInMemoryHistory } from './in-memory-history.ts';
import {
  extractionOf,
  type FoundJob,
  finishedJob,
  type HeldJob,
  listHeldJobs,
  pendingJobs,
  progressOf,
  requireState,
  startedJob,
} from './in-memory-jobs.ts';
import { createInMemoryLifecycle } from './in-memory-lifecycle.ts';
import {
  changedChunks,
  type HeldRecord,
  matchesFilter,
  memoriesOf,
  nearestDistance,
  scopeFactor,
  tallyMemories,
} from './in-memory-rows.ts';

export interface InMemoryStore extends MemoryStore {
  /** Names of the methods called so far; `createThread` stands for two round trips, every other for one. */
  readonly calls: readonly string[];
  readonly jobs: ReadonlyMap<string, HeldJob>;
  readonly appended: readonly MessageAppend[];
  readonly searches: readonly StoreSearch[];
  /** Records of all families in the order they were written. */
  records(): readonly HeldRecord[];
  thread(threadId: string): StoredThread | undefined;
  changeThread(threadId: string, change: Partial<StoredThread>): void;
  /** Makes the next calls of a method fail as `unavailable`, before they do anything. */
  failNext(method: keyof MemoryStore, times: number): void;
}

function keyOf(family: string, id: string): string {
  return `${family}\n${id}`;
}

function alreadyExists(what: string): AgentMemoryError {
  return new AgentMemoryError('conflict', `A ${what} with this id already exists.`);
}

/** The store's contract over maps: small, exact about ids, scopes and jobs, without expiry and filter operators. */
export function createInMemoryStore(clock: ManualClock, dimensions = 256): InMemoryStore {
  const calls: string[] = [];
  const appended: MessageAppend[] = [];
  const searches: StoreSearch[] = [];
  const threads = new Map<string, StoredThread>();
  const positions = new Map<string, number>();
  const held = new Map<string, HeldRecord>();
  const recordPositions = new Map<string, number>();
  let inserted = 0;
  const jobs = new Map<string, HeldJob>();
  const now = (): string => clock.now().toISOString();

  const history = createInMemoryHistory((memoryId) => {
    const key = keyOf('memory', memoryId);
    return held.has(key) ? recordPositions.get(key) : undefined;
  });

  function changeThread(threadId: string, change: Partial<StoredThread>): void {
    const thread = threads.get(threadId);
    if (thread !== undefined) threads.set(threadId, { ...thread, ...change, updatedAt: now() });
  }

  function messagesOf(threadId: string): StoredMessage[] {
    return [...held.values()]
      .filter(({ family, record }) => family === 'message' && record.threadId === threadId)
      .map(({ record, sequence }) => ({
        id: record.id,
        sequence,
        role: record.role ?? '',
        content: record.content ?? '',
        timestamp: record.timestamp,
        metadata: record.metadata,
      }));
  }

  function insert(
    record: Omit<NewRecord, 'family'> & { readonly family: RecordFamily },
    owner: StoredThread | undefined,
    message?: { readonly sequence: number; readonly role: string },
  ): void {
    const { family, id, recordType, content, metadata } = record;
    if (held.has(keyOf(family, id))) throw alreadyExists('record');
    const pick = (given: string | null | undefined, own: string | undefined) =>
      given === undefined ? (own ?? null) : given;
    inserted += 1;
    recordPositions.set(keyOf(family, id), inserted);
    held.set(keyOf(family, id), {
      family,
      sequence: message?.sequence ?? 0,
      chunks: record.chunks,
      record: {
        id,
        recordType,
        content,
        metadata,
        timestamp: record.timestamp ?? now(),
        createdAt: now(),
        updatedAt: now(),
        expiresAt: null,
        userId: pick(record.userId, owner?.userId),
        agentId: pick(record.agentId, owner?.agentId),
        threadId: pick(record.threadId, owner?.threadId),
        ...(message === undefined ? {} : { role: message.role }),
        status: 'active',
      },
    });
  }

  function ownedBy(family: ActorFamily, id: string) {
    const owner = family === 'user_profile' ? 'userId' : 'agentId';
    const ownThreads = [...threads.values()].filter((thread) => thread[owner] === id).map((t) => t.threadId);
    const ownRecords = [...held].flatMap(([key, { record }]) => {
      const inThread = record.threadId !== null && ownThreads.includes(record.threadId);
      return inThread || record[owner] === id || key === keyOf(family, id) ? [key] : [];
    });
    return { ownThreads, ownRecords };
  }

  function requireThread(threadId: string): StoredThread {
    const thread = threads.get(threadId);
    if (thread === undefined) throw new AgentMemoryError('not_found', 'There is no such thread.');
    return thread;
  }

  function markSummaryStale({ record, sequence }: HeldRecord): void {
    const thread = threads.get(record.threadId ?? '');
    if (thread !== undefined && sequence <= thread.summarizedSequence)
      changeThread(thread.threadId, { summaryStale: true });
  }

  function findHeld(jobId: string, leaseToken: string) {
    const job = jobs.get(jobId);
    const thread = threads.get(job?.threadId ?? '');
    if (job === undefined || thread === undefined || job.shown.status !== 'running') return undefined;
    return job.leaseToken === leaseToken ? { job, thread } : undefined;
  }

  function howToStart(thread: StoredThread, start: JobStart): FoundJob {
    if (!start.canExtract) return 'unsupported';
    if (thread.config.extraction.extractionMode === 'inline') return 'running';
    return pendingJobs(jobs) < start.queueCapacity ? 'pending' : 'full';
  }

  function openJob(
    start: JobStart,
    job: Pick<HeldJob, 'threadId' | 'fromSequence' | 'uptoSequence' | 'isEdit'>,
  ): FoundJob {
    const { threadId, fromSequence, uptoSequence } = job;
    const messageIds = messagesOf(threadId)
      .filter(({ sequence }) => sequence >= fromSequence && sequence <= uptoSequence)
      .map(({ id }) => id);
    const found = howToStart(requireThread(threadId), start);
    jobs.set(start.jobId, {
      ...job,
      leaseToken: found === 'running' ? start.leaseToken : undefined,
      leaseUntil: clock.now().getTime() + start.leaseSeconds * 1_000,
      lostAttempts: 0,
      isClaimed: false,
      wokenAt: undefined,
      shown: startedJob(start, found, { threadId, messageIds }, now()),
      outcome: undefined,
    });
    return found;
  }

  function startJob(thread: StoredThread, append: MessageAppend): FoundJob | 'none' {
    const { extractMemories, memoryExtractionFrequency: frequency } = thread.config.extraction;
    const covered = [...jobs.values()].filter((job) => job.threadId === thread.threadId && !job.isEdit);
    const uptoSequence = thread.messageCount;
    const fromSequence =
      frequency === -1
        ? uptoSequence - append.messages.length + 1
        : Math.max(thread.extractedSequence, ...covered.map((job) => job.uptoSequence)) + 1;
    if (!extractMemories || uptoSequence - fromSequence + 1 < frequency) return 'none';
    return openJob(append, { threadId: append.threadId, fromSequence, uptoSequence, isEdit: false });
  }

  function runSearch(search: StoreSearch) {
    const from = search.threadId === undefined ? undefined : threads.get(search.threadId);
    if (search.threadId !== undefined && from === undefined) return undefined;
    const hits = [...held.values()].flatMap((candidate) => {
      const { record } = candidate;
      const { user, agent, thread } = search.scope;
      const factors = [
        scopeFactor(user, record.userId, from?.userId ?? null),
        scopeFactor(agent, record.agentId, from?.agentId ?? null),
        scopeFactor(thread, record.threadId, from?.threadId ?? null),
      ];
      const distance = nearestDistance(candidate, search.query);
      if (distance === undefined || record.status !== 'active') return [];
      if (!search.recordTypes.includes(record.recordType)) return [];
      if (!matchesFilter(record.metadata, search.metadataFilter)) return [];
      let product = distance;
      for (const factor of factors) {
        if (factor === undefined) return [];
        product *= factor;
      }
      return [{ record, distance: product }];
    });
    const ordered = hits.toSorted((a, b) => a.distance - b.distance || (a.record.id < b.record.id ? -1 : 1));
    const first = Object.entries(search.minimums).flatMap(([type, minimum]) =>
      ordered.filter((hit) => hit.record.recordType === type).slice(0, minimum),
    );
    const picked = new Set([...new Set([...first, ...ordered])].slice(0, search.maxResults));
    return ordered.filter((hit) => picked.has(hit));
  }

  const store: MemoryStore = {
    retention: { defaultTtlDays: null, maxTtlDays: null },
    dimensions,
    async createThread(thread) {
      if (threads.has(thread.threadId)) throw alreadyExists('thread');
      positions.set(thread.threadId, positions.size + 1);
      threads.set(thread.threadId, {
        ...thread,
        messageCount: 0,
        extractedSequence: 0,
        summarizedSequence: 0,
        runningSummary: null,
        summaryStale: false,
        createdAt: now(),
        updatedAt: now(),
      });
      return requireThread(thread.threadId);
    },
    getThread: async (threadId) => threads.get(threadId),
    async listThreads({ userId, agentId, before = Number.POSITIVE_INFINITY, limit }) {
      const listed = [...threads.values()]
        .map((thread) => ({ thread, position: positions.get(thread.threadId) ?? 0 }))
        .filter(({ thread, position }) => position < before && thread.userId === (userId ?? thread.userId))
        .filter(({ thread }) => thread.agentId === (agentId ?? thread.agentId))
        .toReversed();
      return { threads: listed.slice(0, limit), more: listed.length > limit };
    },
    async updateThread(threadId, { metadata, config }) {
      const thread = threads.get(threadId);
      if (thread === undefined) return undefined;
      const extraction = { ...thread.config.extraction, ...config.extraction };
      changeThread(threadId, {
        metadata: metadata ?? thread.metadata,
        config: { ...thread.config, ...config, extraction },
      });
      return threads.get(threadId);
    },
    async deleteThread(threadId) {
      for (const [key, { record }] of held) if (record.threadId === threadId) held.delete(key);
      for (const [jobId, job] of jobs) if (job.threadId === threadId) jobs.delete(jobId);
      return threads.delete(threadId) ? 1 : 0;
    },
    async appendMessages(append) {
      const thread = requireThread(append.threadId);
      if (append.messages.some(({ id }) => held.has(keyOf('message', id)))) throw alreadyExists('message');
      appended.push(append);
      for (const [index, { role, ...message }] of append.messages.entries()) {
        const owners = { userId: undefined, agentId: undefined, threadId: undefined };
        const sequence = thread.messageCount + index + 1;
        const record = { ...message, ...owners, family: 'message', recordType: 'message' } as const;
        insert(record, thread, { sequence, role });
      }
      changeThread(thread.threadId, { messageCount: thread.messageCount + append.messages.length });
      return { job: startJob(requireThread(thread.threadId), append) };
    },
    async getMessages(threadId, { after, start: givenStart, end, limit }) {
      if (!threads.has(threadId)) return undefined;
      const all = messagesOf(threadId);
      const start = after === undefined ? givenStart : all.filter(({ sequence }) => sequence <= after).length;
      const firstIndex = start ?? (end === undefined ? Math.max(0, all.length - limit) : 0);
      const stop = end === null ? all.length : (end ?? firstIndex + limit);
      return { messages: all.slice(firstIndex, stop), firstIndex, total: all.length };
    },
    async addRecord(record, fromThread) {
      insert(record, fromThread === undefined ? undefined : requireThread(fromThread));
    },
    async addRecords(records) {
      const messages = records.filter((record) => record.family === 'message');
      for (const { threadId } of messages) requireThread(threadId);
      const keys = records.map(({ family, id }) => keyOf(family, id));
      if (new Set(keys).size < keys.length || keys.some((key) => held.has(key)))
        throw alreadyExists('record');
      for (const record of records) {
        if (record.family !== 'message') {
          insert(record, undefined);
          continue;
        }
        const thread = requireThread(record.threadId);
        const sequence = thread.messageCount + 1;
        insert({ ...record, recordType: 'message' }, thread, { sequence, role: record.role });
        changeThread(thread.threadId, { messageCount: sequence });
      }
    },
    getRecord: async (family, id) => held.get(keyOf(family, id))?.record,
    async updateRecord(family, id, change, { threadId, recordType, exceptType } = {}) {
      const { content, metadata, timestamp } = change;
      const old = held.get(keyOf(family, id));
      if (old === undefined || old.record.recordType === exceptType) return false;
      if (recordType !== undefined && old.record.recordType !== recordType) return false;
      if (threadId !== undefined && old.record.threadId !== threadId) return false;
      if (family === 'memory')
        history.keep(old.record, {
          operation: 'updateMemory',
          callerId: '(in process)',
          replacedAt: now(),
        });
      const record = {
        ...old.record,
        content: content === undefined ? old.record.content : content.text,
        metadata: metadata ?? old.record.metadata,
        timestamp: timestamp === undefined ? old.record.timestamp : (timestamp ?? old.record.createdAt),
        updatedAt: now(),
      };
      held.set(keyOf(family, id), { ...old, record, chunks: changedChunks(old.chunks, change) });
      return true;
    },
    async deleteRecord(family, id, { threadId, recordType } = {}) {
      const old = held.get(keyOf(family, id));
      if (recordType !== undefined && old?.record.recordType !== recordType) return 0;
      if (threadId !== undefined && old?.record.threadId !== threadId) return 0;
      if (old !== undefined && family === 'message') markSummaryStale(old);
      return held.delete(keyOf(family, id)) ? 1 : 0;
    },
    async editMessage({ threadId, messageId, change: given, ...start }) {
      const old = held.get(keyOf('message', messageId));
      const thread = threads.get(threadId);
      if (old?.record.threadId !== threadId || thread === undefined) return undefined;
      const isEdited = given.content !== undefined && given.content.text !== old.record.content;
      const change = { ...given, content: isEdited ? given.content : undefined };
      if (Object.values(change).every((value) => value === undefined)) return { job: 'none' };
      await store.updateRecord('message', messageId, change, { threadId });
      if (!isEdited) return { job: 'none' };
      markSummaryStale(old);
      if (!thread.config.extraction.extractMemories) return { job: 'none' };
      const range = { fromSequence: old.sequence, uptoSequence: old.sequence };
      return { job: openJob(start, { threadId, ...range, isEdit: true }) };
    },
    async listRecords({ family, after = 0, limit, metadataFilter, ...conditions }) {
      const wanted = Object.entries(conditions).filter(([, value]) => value !== undefined);
      const found = [...held].flatMap(([key, { family: heldFamily, record }]) => {
        const position = recordPositions.get(key) ?? 0;
        const matches =
          wanted.every(([name, value]) => Reflect.get(record, name) === value) &&
          matchesFilter(record.metadata, metadataFilter ?? null);
        return heldFamily === family && matches && position > after ? [{ record, position }] : [];
      });
      return { records: found.slice(0, limit), more: found.length > limit };
    },
    async deleteActor(family, id) {
      const { ownThreads, ownRecords } = ownedBy(family, id);
      for (const threadId of ownThreads) threads.delete(threadId);
      for (const key of ownRecords) held.delete(key);
      return ownThreads.length + ownRecords.length;
    },
    async countActor(family, id) {
      const { ownThreads, ownRecords } = ownedBy(family, id);
      return ownThreads.length + ownRecords.length;
    },
    listHistory: history.list,
    listAudit: async () => ({ entries: [], more: false }),
    async exportUser() {
      throw new AgentMemoryError('unsupported', 'A store in memory exports nothing.');
    },
    async importUserData() {
      throw new AgentMemoryError('unsupported', 'A store in memory imports nothing.');
    },
    async search(search) {
      searches.push(search);
      return runSearch(search);
    },
    async readThreadContext(threadId, recentMessages, { messagesWhenStale = 0 } = {}) {
      const thread = threads.get(threadId);
      if (thread === undefined) return undefined;
      const all = messagesOf(threadId);
      const wanted = thread.summaryStale ? Math.max(recentMessages, messagesWhenStale) : recentMessages;
      return { thread, recentMessages: all.slice(Math.max(0, all.length - wanted)) };
    },
    async saveRebuiltSummary({ threadId, text, uptoSequence, threadUpdatedAt }) {
      const thread = threads.get(threadId);
      if (thread === undefined || !thread.summaryStale || thread.updatedAt !== threadUpdatedAt) return false;
      const rebuilt = { runningSummary: text, summarizedSequence: uptoSequence, summaryStale: false };
      threads.set(threadId, { ...thread, ...rebuilt });
      return true;
    },
    getJob: async (jobId) => jobs.get(jobId)?.shown,
    listJobs: async (list) => listHeldJobs(jobs, list),
    readExtractionProgress: async (threadId, upto) =>
      threads.has(threadId) ? progressOf(jobs, threadId, upto) : undefined,
    readThreadExtraction: async (threadId) =>
      threads.has(threadId) ? extractionOf(jobs, threadId) : undefined,
    async cancelJob(jobId) {
      const job = requireState(jobs, jobId, ['pending', 'running']);
      job.shown = { ...job.shown, status: 'cancelled', nextAttemptAt: null, finishedAt: now() };
    },
    async claimJob({ jobId, leaseToken, leaseSeconds }) {
      const job = requireState(jobs, jobId, ['failed', 'dead', 'cancelled']);
      const { attempt, maxAttempts } = job.shown;
      const attempts = { attempt: attempt + 1, maxAttempts: Math.max(maxAttempts, attempt + 1) };
      const started = { status: 'running', reason: null, startedAt: now(), finishedAt: null } as const;
      job.leaseToken = leaseToken;
      job.leaseUntil = clock.now().getTime() + leaseSeconds * 1_000;
      job.shown = { ...job.shown, ...attempts, ...started };
    },
    ...createInMemoryLifecycle(
      clock,
      jobs,
      (threadId) => threads.get(threadId)?.userId,
      (threadId, uptoSequence) => {
        const extractedSequence = Math.max(requireThread(threadId).extractedSequence, uptoSequence);
        changeThread(threadId, { extractedSequence });
      },
    ),
    async readExtractionInput(jobId, leaseToken, { pastMemories: search, newestMemories } = {}) {
      const found = findHeld(jobId, leaseToken);
      if (found === undefined) return undefined;
      const { job, thread } = found;
      if (search !== undefined) searches.push(search);
      const hits = search === undefined ? [] : (runSearch(search) ?? []);
      const { fromSequence, uptoSequence } = job;
      const configured = thread.config.extraction.memoryExtractionWindow;
      const window = job.isEdit && configured === -1 ? 10 : configured;
      const unsummarized = thread.summaryStale ? 1 : thread.summarizedSequence + 1;
      const first = Math.min(fromSequence, unsummarized, uptoSequence - window + 1);
      const recentMessages = messagesOf(job.threadId).filter(
        ({ sequence }) => sequence >= first && sequence <= uptoSequence,
      );
      return {
        thread,
        recentMessages,
        fromSequence,
        uptoSequence,
        windowMessages: window,
        pastMemories: hits.map(({ record }) => record),
        newestMemories: memoriesOf(held, thread)
          .map(([, { record }]) => record)
          .filter(({ status }) => status === 'active')
          .filter(({ id }) => !hits.some(({ record }) => record.id === id))
          .filter(({ content }) => (content ?? '').length <= (newestMemories?.characters ?? 0))
          .toReversed()
          .slice(0, newestMemories?.count ?? 0),
        memoryTally: tallyMemories(held, recordPositions, thread),
      };
    },
    async readNewestMemories(jobId, leaseToken, { count, characters }) {
      const found = findHeld(jobId, leaseToken);
      if (found === undefined) return undefined;
      return {
        memories: memoriesOf(held, found.thread)
          .map(([, { record }]) => record)
          .filter(({ status, content }) => status === 'active' && (content ?? '').length <= characters)
          .toReversed()
          .slice(0, count),
        memoryTally: tallyMemories(held, recordPositions, found.thread),
      };
    },
    async finishExtraction(outcome) {
      const found = findHeld(outcome.jobId, outcome.leaseToken);
      if (found === undefined) return 'lost';
      const { job, thread } = found;
      const { memoryCount, positionSum } = tallyMemories(held, recordPositions, thread);
      const { comparedWith } = outcome;
      const isSame = comparedWith.memoryCount === memoryCount && comparedWith.positionSum === positionSum;
      if (outcome.memories.length > 0 && !isSame) return 'other_memories';
      if (outcome.memories.some(({ family, id }) => held.has(keyOf(family, id))))
        throw alreadyExists('memory');
      job.outcome = outcome;
      job.shown = finishedJob(job.shown, outcome, now());
      for (const memory of outcome.memories) insert(memory, undefined);
      for (const id of outcome.supersededIds) {
        const old = held.get(keyOf('memory', id));
        if (old === undefined) continue;
        const callerId = `job:${outcome.jobId}`;
        history.keep(old.record, { operation: 'extractMemories', callerId, replacedAt: now() });
        held.set(keyOf('memory', id), { ...old, record: { ...old.record, status: 'superseded' } });
      }
      if (outcome.summary !== null) {
        const { text: runningSummary, uptoSequence: summarizedSequence } = outcome.summary;
        changeThread(job.threadId, { runningSummary, summarizedSequence, summaryStale: false });
      }
      return 'written';
    },
  };

  const failing = new Map<string, number>();

  function counted<Name extends Exclude<keyof MemoryStore, 'retention' | 'dimensions' | 'embeddingModel'>>(
    name: Name,
  ): MemoryStore[Name] {
    const method: (...values: never[]) => unknown = store[name];
    return new Proxy(store[name], {
      apply(_target, self, values) {
        calls.push(name);
        const failuresLeft = failing.get(name) ?? 0;
        if (failuresLeft > 0) {
          failing.set(name, failuresLeft - 1);
          return Promise.reject(new AgentMemoryError('unavailable', 'The store is away.'));
        }
        return Reflect.apply(method, self, values);
      },
    });
  }

  return {
    retention: store.retention,
    dimensions,
    calls,
    jobs,
    appended,
    searches,
    records: () => [...held.values()],
    thread: (threadId) => threads.get(threadId),
    changeThread,
    failNext: (method, times) => void failing.set(method, times),
    createThread: counted('createThread'),
    getThread: counted('getThread'),
    listThreads: counted('listThreads'),
    updateThread: counted('updateThread'),
    deleteThread: counted('deleteThread'),
    appendMessages: counted('appendMessages'),
    getMessages: counted('getMessages'),
    addRecord: counted('addRecord'),
    addRecords: counted('addRecords'),
    getRecord: counted('getRecord'),
    updateRecord: counted('updateRecord'),
    deleteRecord: counted('deleteRecord'),
    editMessage: counted('editMessage'),
    listRecords: counted('listRecords'),
    deleteActor: counted('deleteActor'),
    countActor: counted('countActor'),
    listHistory: counted('listHistory'),
    listAudit: counted('listAudit'),
    exportUser: counted('exportUser'),
    importUserData: counted('importUserData'),
    search: counted('search'),
    readThreadContext: counted('readThreadContext'),
    saveRebuiltSummary: counted('saveRebuiltSummary'),
    getJob: counted('getJob'),
    listJobs: counted('listJobs'),
    readThreadExtraction: counted('readThreadExtraction'),
    readExtractionProgress: counted('readExtractionProgress'),
    cancelJob: counted('cancelJob'),
    claimJob: counted('claimJob'),
    claimDueJob: counted('claimDueJob'),
    findNextJobs: counted('findNextJobs'),
    renewLease: counted('renewLease'),
    releaseJob: counted('releaseJob'),
    admitJob: counted('admitJob'),
    requeueJob: counted('requeueJob'),
    endLostJobs: counted('endLostJobs'),
    findDueJobs: counted('findDueJobs'),
    markWoken: counted('markWoken'),
    pruneJobs: counted('pruneJobs'),
    pruneRequests: counted('pruneRequests'),
    readExtractionInput: counted('readExtractionInput'),
    readNewestMemories: counted('readNewestMemories'),
    finishExtraction: counted('finishExtraction'),
  };
}
