import type { AuditEntry, ListAuditOptions } from './audit.ts';
import type { CloseOptions } from './close-options.ts';
import type { ContextCardRequest, SummaryRequest } from './context-card.ts';
import type { FinishedExtraction, WaitForExtractionOptions } from './extraction-wait.ts';
import type { Job, ListJobsOptions, ThreadExtraction } from './job.ts';
import type { AddMemoryOptions, ListMemoriesOptions, UpdateMemoryRequest } from './memory.ts';
import type { ListHistoryOptions, MemoryForm } from './memory-history.ts';
import type {
  AddMessagesOptions,
  AddMessagesResponse,
  Message,
  MessageWindow,
  NewMessage,
  UpdateMessageRequest,
  UpdateMessageResponse,
} from './message.ts';
import type { JsonObject } from './metadata.ts';
import type { Page } from './page.ts';
import type { DeleteActorOptions, ListProfilesOptions, UpdateProfileRequest } from './profile.ts';
import type { MemoryRecord } from './record.ts';
import type { RecordsApi } from './records-api.ts';
import type { SearchOptions, SearchResult } from './search.ts';
import type { CreateThreadRequest, ListThreadsOptions, ThreadObject, UpdateThreadRequest } from './thread.ts';
import type { ExportUserOptions, UserDataLine } from './user-data.ts';
import type { ContextCard } from './values/context-card.ts';
import type { Summary } from './values/summary.ts';

/**
 * A live handle on one thread: the same over the in-process library and over HTTP (contract §4). Every method may
 * throw an `AgentMemoryError`; `not_found` when the thread is gone.
 */
export interface ThreadApi extends Readonly<ThreadObject> {
  /** Changes metadata and settings of the thread; returns a handle that shows them. */
  update(request: UpdateThreadRequest): Promise<ThreadApi>;
  addMessages(messages: readonly NewMessage[], options?: AddMessagesOptions): Promise<AddMessagesResponse>;
  /** Changes a message of this thread: metadata is replaced whole, new content is indexed and extracted anew. */
  updateMessage(messageId: string, request: UpdateMessageRequest): Promise<UpdateMessageResponse>;
  /** 1 when the message was one of this thread. Memories made of it stay. */
  deleteMessage(messageId: string): Promise<number>;
  /**
   * The whole window, in order, however many reads it takes; without one the newest 100. Indexes count visible messages. None
   * is left out when others are deleted between two reads.
   */
  getMessages(window?: MessageWindow): Promise<readonly Message[]>;
  /** Adds a memory scoped to this thread and its owners; each id can be overridden, null = unscoped. Returns its id. */
  addMemory(content: string, options?: AddMemoryOptions): Promise<string>;
  /** Changes a memory whose stored thread is exactly this one (`not_found` for any other). Returns its id. */
  updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string>;
  /** 1 when the memory existed in exactly this thread, else 0. */
  deleteMemory(memoryId: string): Promise<number>;
  search(query: string, options?: SearchOptions): Promise<readonly SearchResult[]>;
  getContextCard(request?: ContextCardRequest): Promise<ContextCard>;
  getSummary(request?: SummaryRequest): Promise<Summary>;
  /** Extraction jobs of this thread by state, and the latest 20 of them, newest first. */
  getExtraction(): Promise<ThreadExtraction>;
  /**
   * Waits until the extraction jobs that the thread has now have ended, by default 300 seconds, null for ever; whichever
   * process runs them (contract §4.7). `failed` counts dead and cancelled ones. Over HTTP it outlasts a service that is away
   * for less than a minute. Throws `timeout`.
   */
  waitForExtraction(options?: WaitForExtractionOptions): Promise<FinishedExtraction>;
  /** This thread, whose `addMessages` and `addMemory` carry the key (see `AgentMemoryApi.withIdempotencyKey`). */
  withIdempotencyKey(idempotencyKey: string): ThreadApi;
}

/** The client of the memory store: the same over the in-process library and over HTTP (contract §3). */
export interface AgentMemoryApi {
  /** Records of every type with their retrieval rows, without a default scope. */
  readonly records: RecordsApi;
  createThread(request?: CreateThreadRequest): Promise<ThreadApi>;
  getThread(threadId: string): Promise<ThreadApi>;
  /** One page of threads, newest first. */
  listThreads(options?: ListThreadsOptions): Promise<Page<ThreadApi>>;
  /** Every thread of these owners, newest first, read page by page as they are asked for. */
  iterateThreads(options?: ListThreadsOptions): AsyncIterable<ThreadApi>;
  /** Metadata is replaced whole, null clears it; settings are merged field by field. */
  updateThread(threadId: string, request: UpdateThreadRequest): Promise<ThreadApi>;
  /**
   * Removes the thread and everything that carries its id, in one transaction: 1 when there was a thread. Records may name a
   * thread that has no row (contract §10.2): they go too, and the answer is 0.
   */
  deleteThread(threadId: string): Promise<number>;
  /** Adds a memory without default scope: an omitted id leaves it unscoped in that dimension. Returns its id. */
  addMemory(content: string, options?: AddMemoryOptions): Promise<string>;
  /** One page of memories, oldest first. */
  listMemories(options?: ListMemoriesOptions): Promise<Page<MemoryRecord>>;
  /** Every memory that matches, oldest first, read page by page as they are asked for. */
  iterateMemories(options?: ListMemoriesOptions): AsyncIterable<MemoryRecord>;
  getMemory(memoryId: string): Promise<MemoryRecord>;
  /** Changes a memory of any thread; an absent field stays, metadata is replaced whole. Returns its id. */
  updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string>;
  deleteMemory(memoryId: string): Promise<number>;
  /** One page of the earlier forms of a memory, newest first, each with who replaced it. They go with the memory. */
  getMemoryHistory(memoryId: string, options?: ListHistoryOptions): Promise<Page<MemoryForm>>;
  iterateMemoryHistory(memoryId: string, options?: ListHistoryOptions): AsyncIterable<MemoryForm>;
  addUser(userId: string, information: string, metadata?: JsonObject | null): Promise<string>;
  getUser(userId: string): Promise<MemoryRecord>;
  /** One page of user profiles, oldest first. */
  listUsers(options?: ListProfilesOptions): Promise<Page<MemoryRecord>>;
  iterateUsers(options?: ListProfilesOptions): AsyncIterable<MemoryRecord>;
  /** An absent field stays, metadata is replaced whole. Returns the id. */
  updateUser(userId: string, request: UpdateProfileRequest): Promise<string>;
  /**
   * Deletes the profile, with `cascade` the user's threads and records too, all or nothing. Returns how many threads and
   * records went, with `dryRun` how many would go.
   */
  deleteUser(userId: string, options?: DeleteActorOptions): Promise<number>;
  addAgent(agentId: string, information: string, metadata?: JsonObject | null): Promise<string>;
  getAgent(agentId: string): Promise<MemoryRecord>;
  /** One page of agent profiles, oldest first. */
  listAgents(options?: ListProfilesOptions): Promise<Page<MemoryRecord>>;
  iterateAgents(options?: ListProfilesOptions): AsyncIterable<MemoryRecord>;
  updateAgent(agentId: string, request: UpdateProfileRequest): Promise<string>;
  /** As `deleteUser`, for an agent; a user with the same id keeps everything. */
  deleteAgent(agentId: string, options?: DeleteActorOptions): Promise<number>;
  /** `userId` must be given, null = only records without a user (contract §5). */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>;
  getJob(jobId: string): Promise<Job>;
  /** One page of extraction jobs, newest first. */
  listJobs(options?: ListJobsOptions): Promise<Page<Job>>;
  /** Every job that matches, newest first, read page by page as they are asked for. */
  iterateJobs(options?: ListJobsOptions): AsyncIterable<Job>;
  /**
   * Runs a failed, dead or cancelled job again (`conflict` in another state). With a job queue a worker runs it, and it is
   * returned as it is then; without one it is returned as it ended.
   */
  retryJob(jobId: string): Promise<Job>;
  /** Cancels a pending or running job (`conflict` in another state). */
  cancelJob(jobId: string): Promise<Job>;
  /**
   * What is stored about a user and has not expired, line by line, read as they are asked for. With `vectors` the vectors of
   * retrieval texts come too. Throws `unavailable` when an answer breaks off: the lines before it are not all.
   */
  exportUser(userId: string, options?: ExportUserOptions): AsyncIterable<UserDataLine>;
  /**
   * Adds the lines of an export as they were; returns how many threads and records. Long ones are sent in parts, each all or
   * nothing: what a part had added stays when a later one is refused. Throws `conflict` for what exists already.
   */
  importRecords(lines: Iterable<UserDataLine> | AsyncIterable<UserDataLine>): Promise<number>;
  /** One page of who wrote and deleted what, newest first. It holds no content. */
  listAudit(options?: ListAuditOptions): Promise<Page<AuditEntry>>;
  iterateAudit(options?: ListAuditOptions): AsyncIterable<AuditEntry>;
  /**
   * This client, whose adds, `createThread`, `retryJob` and `cancelJob` carry the key; other methods ignore it, and so do
   * the handles that it returns. A call that is repeated with the same key and the same arguments answers as the first
   * time and changes nothing, for at least 24 hours. A key counts for one method and one path. With other arguments:
   * `idempotency_mismatch`.
   *
   * @param idempotencyKey 1 to 255 visible ASCII characters, else `invalid_request`
   */
  withIdempotencyKey(idempotencyKey: string): AgentMemoryApi;
  /**
   * Takes no further background work and waits for what this process has accepted, by default 10 seconds; what is not done
   * then is in the database, for another worker. Closing again is the same closing.
   */
  close(options?: CloseOptions): Promise<void>;
}
