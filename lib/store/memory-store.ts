import type { RetentionPolicy } from '../schema/retention-policy.ts';
import type { MemoryRecord } from '../schemas/record.ts';
import type { CallOptions } from '../sql/sql-transport.ts';
import type { AuditList, ListedAudit } from './audit/audit-list.ts';
import type {
  ExtractionInput,
  ExtractionInputOptions,
  ExtractionOutcome,
  NewestMemories,
  NewestMemoryLimits,
  OutcomeWrite,
  RebuiltSummary,
  ThreadContext,
  ThreadContextOptions,
} from './extraction/extraction-outcome.ts';
import type { HistoryList, ListedHistory } from './history/memory-history.ts';
import type { JobLifecycle } from './jobs/job-lifecycle.ts';
import type { JobStore } from './jobs/job-store.ts';
import type { MessagesInWindow, MessageWindow } from './messages/message-window.ts';
import type { JobOutcome, MessageAppend, MessageEdit } from './messages/stored-message.ts';
import type {
  ActorFamily,
  NewMessageRecord,
  NewRecord,
  RecordChange,
  RecordFamily,
  RecordList,
  RecordOptions,
  RecordPage,
  RecordUpdateOptions,
} from './records/stored-record.ts';
import type { SearchHit, StoreSearch } from './search/store-search.ts';
import type {
  ListedThreads,
  NewThread,
  StoredThread,
  ThreadChange,
  ThreadList,
} from './threads/stored-thread.ts';
import type { UserDataBatch, UserDataPage, UserDataRequest } from './user-data/user-data.ts';

/**
 * Records, retrieval rows and jobs in Oracle SQL. Each method is one database round trip unless it says otherwise.
 * Errors: `conflict` for an id that is taken (the message contains "already exists"), `not_found` for a thread that a
 * write needs, and what the transport reports.
 */
export interface MemoryStore extends JobStore, JobLifecycle {
  /** The times to live that this store applies to messages and memories (contract §11). */
  readonly retention: RetentionPolicy;
  /** Width of the vectors that this store keeps. */
  readonly dimensions: number;
  /** The model in the database that its statements may embed with; absent when every vector comes from outside. */
  readonly embeddingModel?: string | undefined;

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
   * Changes a message of exactly this thread that has not expired: undefined when there is none. Content that is the stored
   * one counts as not given. Other content gets its retrieval rows, makes a running summary stale that covers the message
   * and, with extraction on, starts a job that covers the edited message alone and moves no watermark. Errors:
   * `invalid_request` when days count from a timestamp and there is none.
   */
  editMessage(edit: MessageEdit, options?: CallOptions): Promise<JobOutcome | undefined>;
  /**
   * Visible messages in order; indexes count visible messages. `end` undefined = at most `limit` from `start`,
   * null = to the end. Both undefined = the newest `limit`. Undefined for an unknown thread. At most 1,000 messages and
   * about four million characters come back, the first of the window always: fewer than asked for means to read on, exactly
   * with `after` the last one, or at `firstIndex + messages.length` when no message has gone meanwhile.
   */
  getMessages(
    threadId: string,
    window: MessageWindow,
    options?: CallOptions,
  ): Promise<MessagesInWindow | undefined>;

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

  /** Earlier forms of a visible memory, newest first; undefined when there is none. Sizes as in `listRecords`. */
  listHistory(list: HistoryList, options?: CallOptions): Promise<ListedHistory | undefined>;
  /** A page of one part of what is stored about a user and has not expired. Sizes as in `listRecords`. */
  exportUser(request: UserDataRequest, options?: CallOptions): Promise<UserDataPage>;
  /**
   * Adds what an export holds as it was, ids and times included, all or nothing; no extraction starts. Errors: `not_found` for
   * the thread of a message, `conflict` for what is taken and for a record that a line needs.
   */
  importUserData(batch: UserDataBatch, options?: CallOptions): Promise<void>;
  /** Entries of the audit trail, newest first. Every write of this store leaves one for each owner that it concerned. */
  listAudit(list: AuditList, options?: CallOptions): Promise<ListedAudit>;

  /**
   * Hits by increasing distance, ties by id, one per record; about four million characters of them at most, the first in any
   * case. Undefined for an unknown thread. Two round trips when a vector index gave fewer than were asked for.
   */
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
    options?: ExtractionInputOptions,
  ): Promise<ExtractionInput | undefined>;
  /** Of the job's user and agent, within the limits, newest first; undefined when the lease is lost. */
  readNewestMemories(
    jobId: string,
    leaseToken: string,
    limits: NewestMemoryLimits,
    options?: CallOptions,
  ): Promise<NewestMemories | undefined>;
  /** All or nothing. Of two outcomes with memories of one user and agent, one is written after the other. */
  finishExtraction(outcome: ExtractionOutcome, options?: CallOptions): Promise<OutcomeWrite>;
}
