import type { AgentMemoryApi } from '../schemas/agent-memory-api.ts';
import type { AuditEntry, ListAuditOptions } from '../schemas/audit.ts';
import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
import type { Job, ListJobsOptions } from '../schemas/job.ts';
import type { AddMemoryOptions, ListMemoriesOptions, UpdateMemoryRequest } from '../schemas/memory.ts';
import type { ListHistoryOptions, MemoryForm } from '../schemas/memory-history.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import {
  exportUserContract,
  getMemoryHistoryContract,
  importRecordsContract,
  listAuditContract,
} from '../schemas/operations/governance.ts';
import {
  cancelJobContract,
  getJobContract,
  listJobsContract,
  retryJobContract,
} from '../schemas/operations/jobs.ts';
import {
  addMemoryContract,
  deleteMemoryContract,
  getMemoryContract,
  listMemoriesContract,
  updateMemoryContract,
} from '../schemas/operations/memories.ts';
import {
  addAgentContract,
  addUserContract,
  deleteAgentContract,
  deleteUserContract,
  getAgentContract,
  getUserContract,
  listAgentsContract,
  listUsersContract,
  updateAgentContract,
  updateUserContract,
} from '../schemas/operations/profiles.ts';
import { searchContract } from '../schemas/operations/search.ts';
import {
  createThreadContract,
  deleteThreadContract,
  getThreadContract,
  listThreadsContract,
  updateThreadContract,
} from '../schemas/operations/threads.ts';
import { iteratePages, type Page } from '../schemas/page.ts';
import type { DeleteActorOptions, ListProfilesOptions, UpdateProfileRequest } from '../schemas/profile.ts';
import type { MemoryRecord } from '../schemas/record.ts';
import type { SearchOptions, SearchResult } from '../schemas/search.ts';
import type { CreateThreadRequest, ListThreadsOptions, UpdateThreadRequest } from '../schemas/thread.ts';
import type { ExportUserOptions, UserDataLine } from '../schemas/user-data.ts';
import { iterateExport, keyOfPart, splitImport } from '../schemas/user-data-parts.ts';
import { withOptions } from '../schemas/with-options.ts';
import { flagParameter } from './flag-parameter.ts';
import { type AgentMemoryClientOptions, HttpConnection } from './http-connection.ts';
import { HttpRecords } from './http-records.ts';
import { HttpThread } from './http-thread.ts';

/** The client of the memory store over HTTP: same interface, same checks and same errors as in the process. */
class AgentMemoryClient implements AgentMemoryApi {
  readonly records: HttpRecords;
  readonly #connection: HttpConnection;
  readonly #idempotencyKey: string | undefined;

  constructor(connection: HttpConnection, idempotencyKey?: string) {
    this.#connection = connection;
    this.#idempotencyKey = idempotencyKey;
    this.records = new HttpRecords(connection, idempotencyKey);
  }

  async createThread(request: CreateThreadRequest = {}): Promise<HttpThread> {
    const input = { parameters: {}, query: {}, body: request };
    const thread = await this.#connection.call(createThreadContract, input, this.#idempotencyKey);
    return new HttpThread(this.#connection, thread);
  }

  async getThread(threadId: string): Promise<HttpThread> {
    const input = { parameters: { threadId }, query: {}, body: undefined };
    return new HttpThread(this.#connection, await this.#connection.call(getThreadContract, input));
  }

  async listThreads(options: ListThreadsOptions = {}): Promise<Page<HttpThread>> {
    const query = { ...options, limit: options.limit?.toString() };
    const page = await this.#connection.call(listThreadsContract, { parameters: {}, query, body: undefined });
    return { ...page, items: page.items.map((thread) => new HttpThread(this.#connection, thread)) };
  }

  iterateThreads(options: ListThreadsOptions = {}): AsyncIterable<HttpThread> {
    return iteratePages((cursor = options.cursor) => this.listThreads({ ...options, cursor }));
  }

  async updateThread(threadId: string, request: UpdateThreadRequest): Promise<HttpThread> {
    const input = { parameters: { threadId }, query: {}, body: request };
    return new HttpThread(this.#connection, await this.#connection.call(updateThreadContract, input));
  }

  async deleteThread(threadId: string): Promise<number> {
    const input = { parameters: { threadId }, query: {}, body: undefined };
    return (await this.#connection.call(deleteThreadContract, input)).deleted;
  }

  async addMemory(content: string, options: AddMemoryOptions = {}): Promise<string> {
    const input = { parameters: {}, query: {}, body: withOptions({ content }, options) };
    return (await this.#connection.call(addMemoryContract, input, this.#idempotencyKey)).id;
  }

  async listMemories(options: ListMemoriesOptions = {}): Promise<Page<MemoryRecord>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(listMemoriesContract, { parameters: {}, query, body: undefined });
  }

  iterateMemories(options: ListMemoriesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listMemories({ ...options, cursor }));
  }

  async getMemory(memoryId: string): Promise<MemoryRecord> {
    const input = { parameters: { memoryId }, query: {}, body: undefined };
    return this.#connection.call(getMemoryContract, input);
  }

  async updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string> {
    const input = { parameters: { memoryId }, query: {}, body: request };
    return (await this.#connection.call(updateMemoryContract, input)).id;
  }

  async deleteMemory(memoryId: string): Promise<number> {
    const input = { parameters: { memoryId }, query: {}, body: undefined };
    return (await this.#connection.call(deleteMemoryContract, input)).deleted;
  }

  async getMemoryHistory(memoryId: string, options: ListHistoryOptions = {}): Promise<Page<MemoryForm>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(getMemoryHistoryContract, {
      parameters: { memoryId },
      query,
      body: undefined,
    });
  }

  iterateMemoryHistory(memoryId: string, options: ListHistoryOptions = {}): AsyncIterable<MemoryForm> {
    return iteratePages((cursor = options.cursor) => this.getMemoryHistory(memoryId, { ...options, cursor }));
  }

  async addUser(userId: string, information: string, metadata?: JsonObject | null): Promise<string> {
    const input = { parameters: {}, query: {}, body: { userId, information, metadata } };
    return (await this.#connection.call(addUserContract, input, this.#idempotencyKey)).id;
  }

  async getUser(userId: string): Promise<MemoryRecord> {
    const input = { parameters: { userId }, query: {}, body: undefined };
    return this.#connection.call(getUserContract, input);
  }

  async listUsers(options: ListProfilesOptions = {}): Promise<Page<MemoryRecord>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(listUsersContract, { parameters: {}, query, body: undefined });
  }

  iterateUsers(options: ListProfilesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listUsers({ ...options, cursor }));
  }

  async updateUser(userId: string, request: UpdateProfileRequest): Promise<string> {
    const input = { parameters: { userId }, query: {}, body: request };
    return (await this.#connection.call(updateUserContract, input)).id;
  }

  async deleteUser(userId: string, options: DeleteActorOptions = {}): Promise<number> {
    const input = { parameters: { userId }, query: deleteActorQuery(options), body: undefined };
    return (await this.#connection.call(deleteUserContract, input)).deleted;
  }

  async addAgent(agentId: string, information: string, metadata?: JsonObject | null): Promise<string> {
    const input = { parameters: {}, query: {}, body: { agentId, information, metadata } };
    return (await this.#connection.call(addAgentContract, input, this.#idempotencyKey)).id;
  }

  async getAgent(agentId: string): Promise<MemoryRecord> {
    const input = { parameters: { agentId }, query: {}, body: undefined };
    return this.#connection.call(getAgentContract, input);
  }

  async listAgents(options: ListProfilesOptions = {}): Promise<Page<MemoryRecord>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(listAgentsContract, { parameters: {}, query, body: undefined });
  }

  iterateAgents(options: ListProfilesOptions = {}): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.listAgents({ ...options, cursor }));
  }

  async updateAgent(agentId: string, request: UpdateProfileRequest): Promise<string> {
    const input = { parameters: { agentId }, query: {}, body: request };
    return (await this.#connection.call(updateAgentContract, input)).id;
  }

  async deleteAgent(agentId: string, options: DeleteActorOptions = {}): Promise<number> {
    const input = { parameters: { agentId }, query: deleteActorQuery(options), body: undefined };
    return (await this.#connection.call(deleteAgentContract, input)).deleted;
  }

  async search(query: string, options: SearchOptions): Promise<readonly SearchResult[]> {
    const input = { parameters: {}, query: {}, body: withOptions({ query }, options) };
    return (await this.#connection.call(searchContract, input)).results;
  }

  async getJob(jobId: string): Promise<Job> {
    return this.#connection.call(getJobContract, { parameters: { jobId }, query: {}, body: undefined });
  }

  async listJobs(options: ListJobsOptions = {}): Promise<Page<Job>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(listJobsContract, { parameters: {}, query, body: undefined });
  }

  iterateJobs(options: ListJobsOptions = {}): AsyncIterable<Job> {
    return iteratePages((cursor = options.cursor) => this.listJobs({ ...options, cursor }));
  }

  async retryJob(jobId: string): Promise<Job> {
    const input = { parameters: { jobId }, query: {}, body: undefined };
    return this.#connection.call(retryJobContract, input, this.#idempotencyKey);
  }

  async cancelJob(jobId: string): Promise<Job> {
    const input = { parameters: { jobId }, query: {}, body: undefined };
    return this.#connection.call(cancelJobContract, input, this.#idempotencyKey);
  }

  exportUser(userId: string, { vectors }: ExportUserOptions = {}): AsyncIterable<UserDataLine> {
    const connection = this.#connection;
    return iterateExport(async function* (cursor) {
      const query = { cursor, vectors: flagParameter(vectors) };
      const input = { parameters: { userId }, query, body: undefined };
      yield (await connection.call(exportUserContract, input)).lines;
    });
  }

  async importRecords(lines: Iterable<UserDataLine> | AsyncIterable<UserDataLine>): Promise<number> {
    let imported = 0;
    let part = 0;
    for await (const body of splitImport(lines)) {
      const input = { parameters: {}, query: {}, body };
      const key = await keyOfPart(this.#idempotencyKey, part);
      imported += (await this.#connection.call(importRecordsContract, input, key)).imported;
      part += 1;
    }
    return imported;
  }

  async listAudit(options: ListAuditOptions = {}): Promise<Page<AuditEntry>> {
    const query = { ...options, limit: options.limit?.toString() };
    return this.#connection.call(listAuditContract, { parameters: {}, query, body: undefined });
  }

  iterateAudit(options: ListAuditOptions = {}): AsyncIterable<AuditEntry> {
    return iteratePages((cursor = options.cursor) => this.listAudit({ ...options, cursor }));
  }

  withIdempotencyKey(idempotencyKey: string): AgentMemoryClient {
    return new AgentMemoryClient(this.#connection, checkIdempotencyKey(idempotencyKey, 'idempotencyKey'));
  }

  /** Nothing is held open between requests. */
  async close(): Promise<void> {}
}

function deleteActorQuery(options: DeleteActorOptions) {
  return { ...options, cascade: flagParameter(options.cascade), dryRun: flagParameter(options.dryRun) };
}

/**
 * Makes a client of a running service.
 *
 * @example
 * const memory = createAgentMemoryClient({ baseUrl: 'https://memory.example.com', apiKey });
 * const thread = await memory.createThread({ userId: 'ana' });
 */
export function createAgentMemoryClient(options: AgentMemoryClientOptions): AgentMemoryApi {
  return new AgentMemoryClient(new HttpConnection(options));
}
