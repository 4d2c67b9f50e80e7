import type { Llm } from '../models/llm.ts';
import type { AgentMemoryApi } from '../schemas/agent-memory-api.ts';
import { type AuditEntry, type ListAuditOptions, listAuditRequestSchema } from '../schemas/audit.ts';
import { type CloseOptions, closeOptionsSchema } from '../schemas/close-options.ts';
import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
import {
  type Job,
  jobParametersSchema,
  type ListJobsOptions,
  listJobsRequestSchema,
} from '../schemas/job.ts';
import {
  type AddMemoryOptions,
  addMemoryRequestSchema,
  type ListMemoriesOptions,
  listMemoriesRequestSchema,
  memoryParametersSchema,
  type UpdateMemoryRequest,
  updateMemoryRequestSchema,
} from '../schemas/memory.ts';
import {
  type ListHistoryOptions,
  listHistoryRequestSchema,
  type MemoryForm,
} from '../schemas/memory-history.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import { iteratePages, type Page } from '../schemas/page.ts';
import {
  addAgentRequestSchema,
  addUserRequestSchema,
  agentParametersSchema,
  type DeleteActorOptions,
  deleteActorOptionsSchema,
  type ListProfilesOptions,
  listAgentsRequestSchema,
  listUsersRequestSchema,
  type UpdateProfileRequest,
  updateProfileRequestSchema,
  userParametersSchema,
} from '../schemas/profile.ts';
import type { MemoryRecord } from '../schemas/record.ts';
import { type SearchOptions, type SearchResult, searchRequestSchema } from '../schemas/search.ts';
import {
  type CreateThreadRequest,
  createThreadRequestSchema,
  type ListThreadsOptions,
  listThreadsRequestSchema,
  threadParametersSchema,
  type UpdateThreadRequest,
  updateThreadRequestSchema,
} from '../schemas/thread.ts';
import {
  type ExportUserOptions,
  exportUserRequestSchema,
  importLinesSchema,
  type UserDataLine,
} from '../schemas/user-data.ts';
import { iterateExport, keyOfPart, splitImport } from '../schemas/user-data-parts.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import { withOptions } from '../schemas/with-options.ts';
import { getMemoryHistory, listAudit } from './governance.ts';
import { inProcess, runOnce } from './idempotency/run-once.ts';
import { cancelJob, retryJob } from './job-changes.ts';
import { getJob, listJobs } from './jobs.ts';
import { addMemory, deleteMemory, getMemory, listMemories } from './memories.ts';
import type { MemoryContext } from './memory-context.ts';
import { updateMemory } from './memory-updates.ts';
import {
  addAgent,
  addUser,
  deleteAgent,
  deleteUser,
  getAgent,
  getUser,
  listAgents,
  listUsers,
  updateAgent,
  updateUser,
} from './profiles.ts';
import { RecordsClient } from './records-client.ts';
import { search } from './search.ts';
import { Thread } from './thread.ts';
import { createThread, deleteThread, getThread, listThreads, updateThread } from './threads.ts';
import { exportUser } from './user-export.ts';
import { importRecords } from './user-import.ts';

/**
 * The client of the memory store in this process (contract §3): checks its arguments as the HTTP API does, then calls
 * the use cases. Invalid arguments throw `invalid_request` naming the field.
 */
export class AgentMemory implements AgentMemoryApi {
  readonly records: RecordsClient;
  readonly #context: MemoryContext;
  readonly #release: (options: CloseOptions) => Promise<void>;
  readonly #idempotencyKey: string | undefined;
  #closing: Promise<void> | undefined;

  /**
   * @param release Frees what the context was built on, a transport for one; it runs once, at the first `close`
   * @param idempotencyKey See `withIdempotencyKey`
   */
  constructor(
    context: MemoryContext,
    release: (options: CloseOptions) => Promise<void> = () => Promise.resolve(),
    idempotencyKey?: string,
  ) {
    this.records = new RecordsClient(context, idempotencyKey);
    this.#context = context;
    this.#release = release;
    this.#idempotencyKey = idempotencyKey;
  }

  async createThread(request: CreateThreadRequest = {}): Promise<Thread> {
    const body = parseRequest(createThreadRequestSchema, request);
    const thread = await this.#once('createThread', {}, body, (context) => createThread(context, body));
    return new Thread(this.#context, thread);
  }

  async getThread(threadId: string): Promise<Thread> {
    const parameters = parseRequest(threadParametersSchema, { threadId });
    return new Thread(this.#context, await getThread(this.#context, parameters.threadId));
  }

  async listThreads(options: ListThreadsOptions = {}): Promise<Page<Thread>> {
    const page = await listThreads(this.#context, parseRequest(listThreadsRequestSchema, options));
    return { ...page, items: page.items.map((thread) => new Thread(this.#context, thread)) };
  }

  iterateThreads(options: ListThreadsOptions = {}): AsyncIterable<Thread> {
    return iteratePages((cursor = options.cursor) => this.listThreads({ ...options, cursor }));
  }

  async updateThread(threadId: string, request: UpdateThreadRequest): Promise<Thread> {
    const parameters = parseRequest(threadParametersSchema, { threadId });
    const change = parseRequest(updateThreadRequestSchema, request);
    return new Thread(this.#context, await updateThread(this.#context, parameters.threadId, change));
  }

  async deleteThread(threadId: string): Promise<number> {
    return deleteThread(this.#context, parseRequest(threadParametersSchema, { threadId }).threadId);
  }

  async addMemory(content: string, options: AddMemoryOptions = {}): Promise<string> {
    const request = parseRequest(addMemoryRequestSchema, withOptions({ content }, options));
    return (await this.#once('addMemory', {}, request, (context) => addMemory(context, request))).id;
  }

  async listMemories(options: ListMemoriesOptions = {}): Promise<Page<MemoryRecord>> {
    return listMemories(this.#context, parseRequest(listMemoriesRequestSchema, options));
  }

  iterateMemories(options: ListMemoriesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listMemories({ ...options, cursor }));
  }

  async getMemory(memoryId: string): Promise<MemoryRecord> {
    return getMemory(this.#context, parseRequest(memoryParametersSchema, { memoryId }).memoryId);
  }

  async updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string> {
    const parameters = parseRequest(memoryParametersSchema, { memoryId });
    const change = parseRequest(updateMemoryRequestSchema, request);
    return (await updateMemory(this.#context, parameters.memoryId, change)).id;
  }

  async deleteMemory(memoryId: string): Promise<number> {
    return deleteMemory(this.#context, parseRequest(memoryParametersSchema, { memoryId }).memoryId);
  }

  async getMemoryHistory(memoryId: string, options: ListHistoryOptions = {}): Promise<Page<MemoryForm>> {
    const parameters = parseRequest(memoryParametersSchema, { memoryId });
    const request = parseRequest(listHistoryRequestSchema, options);
    return getMemoryHistory(this.#context, parameters.memoryId, request);
  }

  iterateMemoryHistory(memoryId: string, options: ListHistoryOptions = {}): AsyncIterable<MemoryForm> {
    return iteratePages((cursor = options.cursor) => this.getMemoryHistory(memoryId, { ...options, cursor }));
  }

  async addUser(userId: string, information: string, metadata?: JsonObject | null): Promise<string> {
    const request = parseRequest(addUserRequestSchema, { userId, information, metadata });
    return (await this.#once('addUser', {}, request, (context) => addUser(context, request))).id;
  }

  async getUser(userId: string): Promise<MemoryRecord> {
    return getUser(this.#context, parseRequest(userParametersSchema, { userId }).userId);
  }

  async listUsers(options: ListProfilesOptions = {}): Promise<Page<MemoryRecord>> {
    return listUsers(this.#context, parseRequest(listUsersRequestSchema, options));
  }

  iterateUsers(options: ListProfilesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listUsers({ ...options, cursor }));
  }

  async updateUser(userId: string, request: UpdateProfileRequest): Promise<string> {
    const parameters = parseRequest(userParametersSchema, { userId });
    const change = parseRequest(updateProfileRequestSchema, request);
    return (await updateUser(this.#context, parameters.userId, change)).id;
  }

  async deleteUser(userId: string, options: DeleteActorOptions = {}): Promise<number> {
    const parameters = parseRequest(userParametersSchema, { userId });
    return deleteUser(this.#context, parameters.userId, parseRequest(deleteActorOptionsSchema, options));
  }

  async addAgent(agentId: string, information: string, metadata?: JsonObject | null): Promise<string> {
    const request = parseRequest(addAgentRequestSchema, { agentId, information, metadata });
    return (await this.#once('addAgent', {}, request, (context) => addAgent(context, request))).id;
  }

  async getAgent(agentId: string): Promise<MemoryRecord> {
    return getAgent(this.#context, parseRequest(agentParametersSchema, { agentId }).agentId);
  }

  async listAgents(options: ListProfilesOptions = {}): Promise<Page<MemoryRecord>> {
    return listAgents(this.#context, parseRequest(listAgentsRequestSchema, options));
  }

  iterateAgents(options: ListProfilesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listAgents({ ...options, cursor }));
  }

  async updateAgent(agentId: string, request: UpdateProfileRequest): Promise<string> {
    const parameters = parseRequest(agentParametersSchema, { agentId });
    const change = parseRequest(updateProfileRequestSchema, request);
    return (await updateAgent(this.#context, parameters.agentId, change)).id;
  }

  async deleteAgent(agentId: string, options: DeleteActorOptions = {}): Promise<number> {
    const parameters = parseRequest(agentParametersSchema, { agentId });
    return deleteAgent(this.#context, parameters.agentId, parseRequest(deleteActorOptionsSchema, options));
  }

  async search(query: string, options: SearchOptions): Promise<readonly SearchResult[]> {
    return (await search(this.#context, parseRequest(searchRequestSchema, withOptions({ query }, options))))
      .results;
  }

  async getJob(jobId: string): Promise<Job> {
    return getJob(this.#context, parseRequest(jobParametersSchema, { jobId }).jobId);
  }

  async listJobs(options: ListJobsOptions = {}): Promise<Page<Job>> {
    return listJobs(this.#context, parseRequest(listJobsRequestSchema, options));
  }

  iterateJobs(options: ListJobsOptions = {}): AsyncIterable<Job> {
    return iteratePages((cursor = options.cursor) => this.listJobs({ ...options, cursor }));
  }

  async retryJob(jobId: string): Promise<Job> {
    const parameters = parseRequest(jobParametersSchema, { jobId });
    return this.#once('retryJob', parameters, undefined, (context) => retryJob(context, parameters.jobId));
  }

  async cancelJob(jobId: string): Promise<Job> {
    const parameters = parseRequest(jobParametersSchema, { jobId });
    return this.#once('cancelJob', parameters, undefined, (context) => cancelJob(context, parameters.jobId));
  }

  exportUser(userId: string, { vectors }: ExportUserOptions = {}): AsyncIterable<UserDataLine> {
    const parameters = parseRequest(userParametersSchema, { userId });
    return iterateExport((cursor) =>
      exportUser(
        this.#context,
        parameters.userId,
        parseRequest(exportUserRequestSchema, { cursor, vectors }),
      ),
    );
  }

  async importRecords(lines: Iterable<UserDataLine> | AsyncIterable<UserDataLine>): Promise<number> {
    let imported = 0;
    let part = 0;
    for await (const written of splitImport(lines)) {
      const body = parseRequest(importLinesSchema, written);
      const identity = { operationId: 'importRecords', parameters: {}, body };
      const key = inProcess(await keyOfPart(this.#idempotencyKey, part));
      const answer = await runOnce(this.#context, identity, key, (context) => importRecords(context, body));
      imported += answer.imported;
      part += 1;
    }
    return imported;
  }

  async listAudit(options: ListAuditOptions = {}): Promise<Page<AuditEntry>> {
    return listAudit(this.#context, parseRequest(listAuditRequestSchema, options));
  }

  iterateAudit(options: ListAuditOptions = {}): AsyncIterable<AuditEntry> {
    return iteratePages((cursor = options.cursor) => this.listAudit({ ...options, cursor }));
  }

  withIdempotencyKey(idempotencyKey: string): AgentMemory {
    const key = checkIdempotencyKey(idempotencyKey, 'idempotencyKey');
    return new AgentMemory(this.#context, (options) => this.close(options), key);
  }

  /**
   * This client with another language model, for its own calls and those of the threads that it creates, opens and updates
   * (contract §3.2). Nothing of it is stored: jobs that run in the background use the model of their worker.
   */
  withLlm(llm: Llm): AgentMemory {
    const close = (options: CloseOptions) => this.close(options);
    return new AgentMemory({ ...this.#context, llm }, close, this.#idempotencyKey);
  }

  #once<Answer>(
    operationId: string,
    parameters: unknown,
    body: unknown,
    run: (context: MemoryContext) => Promise<Answer>,
  ): Promise<Answer> {
    const identity = { operationId, parameters, body };
    return runOnce(this.#context, identity, inProcess(this.#idempotencyKey), run);
  }

  async close(options: CloseOptions = {}): Promise<void> {
    const request = parseRequest(closeOptionsSchema, options);
    this.#closing ??= this.#closeOnce(request);
    await this.#closing;
  }

  async #closeOnce(options: CloseOptions): Promise<void> {
    await this.#context.jobQueue?.close(options);
    await this.#release(options);
  }
}
