import type { RetentionPolicy } from '../schema/retention-policy.ts';
import type { ResolvedExtractionConfig } from '../schemas/extraction.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import type { MemoryRecord, RecordStatus, RecordType } from '../schemas/record.ts';
import type { TtlAnchor } from '../schemas/retention.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { JobStore } from './job-store.ts';

/** Records with one id space each: a message and a memory may have the same id, a user and an agent too. */
export type RecordFamily = 'message' | 'memory' | 'user_profile' | 'agent_profile';

/** Profiles, whose record id is the id of the user or agent. */
export type ActorFamily = 'user_profile' | 'agent_profile';

/** Resolved configuration of a thread, stored as JSON with it. */
export interface ThreadConfig {
  readonly extraction: ResolvedExtractionConfig;
  readonly contextCardTokenLimit: number;
  readonly maxMessageTokenLength: number;
  readonly messageShorteningInputTokenLimit: number;
}

export interface StoredThread {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  readonly config: ThreadConfig;
  readonly messageCount: number;
  readonly extractedSequence: number;
  readonly summarizedSequence: number;
  readonly runningSummary: string | null;
  readonly summaryStale: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewThread {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  readonly config: ThreadConfig;
}

/** What an update of a thread changes; an undefined or absent field keeps its value. */
export interface ThreadChange {
  /** Replaces the stored object whole. */
  readonly metadata: JsonObject | undefined;
  /** Merged field by field onto the stored configuration. */
  readonly config: Partial<Omit<ThreadConfig, 'extraction'>> & {
    readonly extraction?: Partial<ResolvedExtractionConfig>;
  };
}

/** A page of threads, newest first: those of the given owners, before a position. */
export interface ThreadList {
  readonly userId: string | undefined;
  readonly agentId: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ListedThreads {
  /** Each with its place in the order of creation: the next page begins before that of the last thread. */
  readonly threads: readonly { readonly thread: StoredThread; readonly position: number }[];
  /** Whether the list goes on. */
  readonly more: boolean;
}

/**
 * One retrieval row: a piece of retrieval text and its vector. Without a vector only keyword search finds it, without
 * text (`''`) only vector search.
 */
export interface Chunk {
  readonly text: string;
  readonly embedding: Float32Array | null;
}

/** Time to live as the caller gave it; undefined = omitted = the store's default, null = its maximum or never. */
export interface Lifetime {
  readonly ttlDays: number | null | undefined;
  readonly ttlAnchor: TtlAnchor;
}

export interface NewMessageRow extends Lifetime {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly timestamp: string | null;
  readonly metadata: JsonObject;
  readonly chunks: readonly Chunk[];
}

/** How the extraction job of a write starts, if there is one. */
export interface JobStart {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** False without a language model: a due job is stored as failed with reason `unsupported` (D23). */
  readonly canExtract: boolean;
}

/** Messages to append, and the extraction job that becomes due with them: one atomic list, one round trip. */
export interface MessageAppend extends JobStart {
  readonly threadId: string;
  readonly messages: readonly NewMessageRow[];
}

/** New content of a message, with whatever else changes, and the extraction job over it. */
export interface MessageEdit extends JobStart {
  readonly threadId: string;
  readonly messageId: string;
  readonly change: RecordChange & { readonly content: NonNullable<RecordChange['content']> };
}

/** What the write found due. `running` = this caller holds the lease and goes on inline. */
export interface JobOutcome {
  readonly job: 'none' | 'running' | 'pending' | 'unsupported';
}

export interface StoredMessage {
  readonly id: string;
  readonly sequence: number;
  readonly role: string;
  readonly content: string;
  /** Event time, else the time of the write. */
  readonly timestamp: string;
  readonly metadata: JsonObject;
}

/** Options of a call that concerns one record. */
export interface RecordOptions extends CallOptions {
  /** Only a record whose stored thread is exactly this one; any other does not exist for the call. */
  readonly threadId?: string | undefined;
  /** Only a record of exactly this type. */
  readonly recordType?: RecordType | undefined;
}

/** New retrieval rows of a record whose text stays. */
export type RetrievalChange =
  /** They replace all earlier ones. */
  | { readonly kind: 'rows'; readonly chunks: readonly Chunk[] }
  /** The existing rows get these vectors, one each, in order. */
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** The existing rows lose their vectors. */
  | { readonly kind: 'no_vectors' };

/** What an update changes; an undefined field keeps its value. Id, type, role and owners of a record never change. */
export interface RecordChange {
  /** New text, or null for none, with the retrieval rows that replace all earlier ones. */
  readonly content?: { readonly text: string | null; readonly chunks: readonly Chunk[] } | undefined;
  /** Not beside `content`. */
  readonly retrieval?: RetrievalChange | undefined;
  /** Replaces the stored object whole. */
  readonly metadata?: JsonObject | undefined;
  /** Event time; null removes it. */
  readonly timestamp?: string | null | undefined;
  /** New expiry, counted from the record's creation, or from the new or stored timestamp. */
  readonly lifetime?: Lifetime | undefined;
}

export interface RecordUpdateOptions extends RecordOptions {
  /** A record of this type does not exist for the call. */
  readonly exceptType?: RecordType | undefined;
}

/** One record other than a message. With `fromThread`, ids that are undefined become that thread's. */
export interface NewRecord extends Lifetime {
  readonly family: Exclude<RecordFamily, 'message'>;
  readonly recordType: RecordType;
  readonly id: string;
  /** Null = no text; `''` is kept as that. */
  readonly content: string | null;
  readonly metadata: JsonObject;
  readonly timestamp: string | null;
  readonly userId: string | null | undefined;
  readonly agentId: string | null | undefined;
  readonly threadId: string | null | undefined;
  readonly chunks: readonly Chunk[];
}

/** One message that is added as a record. Its thread must exist; owners that are undefined are the thread's. */
export interface NewMessageRecord extends Omit<NewRecord, 'family' | 'recordType' | 'threadId'> {
  readonly family: 'message';
  readonly role: string;
  readonly threadId: string;
}

/** A page of records in the order of insertion, after a position. An undefined condition is not asked for. */
export interface RecordList {
  readonly family: RecordFamily;
  /** An id, or null = only records without one. */
  readonly userId?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  readonly threadId?: string | null | undefined;
  readonly recordType?: RecordType | undefined;
  readonly status?: RecordStatus | undefined;
  readonly metadataFilter?: JsonObject | null | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

export interface RecordPage {
  /** Each with its place in the order of insertion; the next page begins after that of the last one. */
  readonly records: readonly { readonly record: MemoryRecord; readonly position: number }[];
  readonly more: boolean;
}

/** One dimension of a resolved search scope (contract §5). */
export type ScopeDimension =
  | { readonly kind: 'unfiltered' }
  | { readonly kind: 'exact'; readonly value: string | null }
  | { readonly kind: 'boost'; readonly value: string | null }
  /** The named thread's own id in this dimension, looked up in the same statement. */
  | { readonly kind: 'exact_of_thread' | 'boost_of_thread' };

export interface StoreSearch {
  /** When given, an unknown thread answers `undefined`; also the source of `…_of_thread` values. */
  readonly threadId: string | undefined;
  readonly scope: {
    readonly user: ScopeDimension;
    readonly agent: ScopeDimension;
    readonly thread: ScopeDimension;
  };
  readonly recordTypes: readonly RecordType[];
  readonly metadataFilter: JsonObject | null;
  readonly maxResults: number;
  readonly query:
    | { readonly strategy: 'vector'; readonly vector: Float32Array }
    | { readonly strategy: 'keyword'; readonly text: string }
    | { readonly strategy: 'hybrid'; readonly text: string; readonly vector: Float32Array };
  /** Minimum number of results by type, filled first (contract §9.1). */
  readonly minimums: Readonly<Partial<Record<RecordType, number>>>;
}

export interface SearchHit {
  readonly record: MemoryRecord;
  readonly distance: number;
}

/** Everything a card, a summary or an extraction pass reads of a thread: one round trip. */
export interface ThreadContext {
  readonly thread: StoredThread;
  /** Oldest first. */
  readonly recentMessages: readonly StoredMessage[];
}

export interface ThreadContextOptions extends CallOptions {
  /** Messages to read when the running summary is stale, if more than otherwise: it is made anew from them. */
  readonly messagesWhenStale?: number;
}

/** A summary in place of a stale one, with the state of the thread that it was made from. */
export interface RebuiltSummary {
  readonly threadId: string;
  readonly text: string;
  /** The thread's last message as read. */
  readonly uptoSequence: number;
  /** The thread's last change as read: after another one the summary may be out of date. */
  readonly threadUpdatedAt: string;
}

/** What an extraction pass writes: memories, outcome and watermark, guarded by the lease. */
export interface ExtractionOutcome {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly status: 'succeeded' | 'failed';
  readonly reason: { readonly code: string; readonly detail: string } | null;
  readonly memories: readonly NewRecord[];
  /** Ids of memories that the new ones replace: they become `superseded`. */
  readonly supersededIds: readonly string[];
  /** New running summary and the sequence it covers; null keeps the old one. */
  readonly summary: { readonly text: string; readonly uptoSequence: number } | null;
  readonly llmCalls: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** The source messages of a running job, with the state of its thread: one round trip. */
export interface ExtractionInput extends ThreadContext {
  /** Newest messages up to the last one of the job that the extractor is shown; −1 = only those of the job. */
  readonly windowMessages: number;
  readonly fromSequence: number;
  readonly uptoSequence: number;
}

/**
 * Records, retrieval rows and jobs in Oracle SQL. Each method is one database round trip unless it says otherwise.
 * Errors: `conflict` for an id that is taken (the message contains "already exists"), `not_found` for a thread that a
 * write needs, and what the transport reports.
 */
export interface MemoryStore extends JobStore {
  /** The times to live that this store applies to messages and memories (contract §11). */
  readonly retention: RetentionPolicy;
  /** Width of the vectors that this store keeps. */
  readonly dimensions: number;

  /** Two round trips: the write, then the read of what was stored. */
  createThread(thread: NewThread, options?: CallOptions): Promise<StoredThread>;
  getThread(threadId: string, options?: CallOptions): Promise<StoredThread | undefined>;
  /** At most `limit` threads and about four million characters of metadata and settings, the first thread always. */
  listThreads(list: ThreadList, options?: CallOptions): Promise<ListedThreads>;
  /** Two round trips: the write, then the read of what was stored. Undefined for an unknown thread. */
  updateThread(
    threadId: string,
    change: ThreadChange,
    options?: CallOptions,
  ): Promise<StoredThread | undefined>;
  /** Removes the thread and everything that carries its id. 1 when there was a thread row. */
  deleteThread(threadId: string, options?: CallOptions): Promise<number>;

  appendMessages(append: MessageAppend, options?: CallOptions): Promise<JobOutcome>;
  /**
   * Changes a message of exactly this thread that has not expired: undefined when there is none. With extraction on, the
   * job covers the edited message alone and moves no watermark. A running summary that covers the message becomes stale.
   * Errors: `invalid_request` when days count from a timestamp and there is none.
   */
  editMessage(edit: MessageEdit, options?: CallOptions): Promise<JobOutcome | undefined>;
  /**
   * Visible messages in order; indexes count visible messages. `end` undefined = at most `limit` from `start`,
   * null = to the end. Both undefined = the newest `limit`. Undefined for an unknown thread. At most 1,000 messages and
   * about four million characters come back, the first of the window always: fewer than asked for means to read on at
   * `firstIndex + messages.length`.
   */
  getMessages(
    threadId: string,
    window: {
      readonly start?: number | undefined;
      readonly end?: number | null | undefined;
      readonly limit: number;
    },
    options?: CallOptions,
  ): Promise<
    | { readonly messages: readonly StoredMessage[]; readonly firstIndex: number; readonly total: number }
    | undefined
  >;

  /** Adds one record. With `fromThread` the thread must exist (`not_found`). */
  addRecord(record: NewRecord, fromThread: string | undefined, options?: CallOptions): Promise<void>;
  /**
   * Adds records in their order, all or nothing. Messages take the next sequence numbers of their threads and count in
   * them, but no extraction starts. Errors: `not_found` for the thread of a message.
   */
  addRecords(records: readonly (NewRecord | NewMessageRecord)[], options?: CallOptions): Promise<void>;
  getRecord(family: RecordFamily, id: string, options?: CallOptions): Promise<MemoryRecord | undefined>;
  /**
   * Changes a record that has not expired; false when there is none. Errors: `invalid_request` when days count from a
   * timestamp and there is none, or when there are not as many retrieval rows as vectors for them.
   */
  updateRecord(
    family: RecordFamily,
    id: string,
    change: RecordChange,
    options?: RecordUpdateOptions,
  ): Promise<boolean>;
  deleteRecord(family: RecordFamily, id: string, options?: RecordOptions): Promise<number>;
  /** At most `limit` records that have not expired and about four million characters, the first always. */
  listRecords(list: RecordList, options?: CallOptions): Promise<RecordPage>;
  /**
   * Removes a user or an agent and all that is theirs, all or nothing: threads with everything in them, records scoped
   * to them, the profile, and the retrieval rows and jobs of these. Threads and records count, expired ones too.
   */
  deleteActor(family: ActorFamily, id: string, options?: CallOptions): Promise<number>;
  /** What `deleteActor` would answer now. */
  countActor(family: ActorFamily, id: string, options?: CallOptions): Promise<number>;

  /** Hits by increasing distance, ties by id, one per record. Undefined for an unknown thread. */
  search(search: StoreSearch, options?: CallOptions): Promise<readonly SearchHit[] | undefined>;

  /** The newest messages, about four million characters of them at most. */
  readThreadContext(
    threadId: string,
    recentMessages: number,
    options?: ThreadContextOptions,
  ): Promise<ThreadContext | undefined>;
  /** False when the thread has changed since or its summary is not stale: then nothing was written. */
  saveRebuiltSummary(summary: RebuiltSummary, options?: CallOptions): Promise<boolean>;
  /**
   * The job's due messages, the newest up to them that the thread's window asks for, and, when the running summary is due,
   * up to 500 that it does not cover yet, the newest about four million characters of them; undefined when the lease is
   * lost.
   */
  readExtractionInput(
    jobId: string,
    leaseToken: string,
    options?: CallOptions,
  ): Promise<ExtractionInput | undefined>;
  /** False when the lease was lost or the thread is gone: then nothing was written. */
  finishExtraction(outcome: ExtractionOutcome, options?: CallOptions): Promise<boolean>;
}
