import type { ThreadApi } from '../schemas/agent-memory-api.ts';
import type { ContextCardRequest, SummaryRequest } from '../schemas/context-card.ts';
import type { FinishedExtraction, WaitForExtractionOptions } from '../schemas/extraction-wait.ts';
import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
import type { ThreadExtraction } from '../schemas/job.ts';
import type { AddMemoryOptions, UpdateMemoryRequest } from '../schemas/memory.ts';
import {
  type AddMessagesOptions,
  type AddMessagesResponse,
  addMessagesRequestSchema,
  type Message,
  type MessageWindow,
  messageWindowSchema,
  type NewMessage,
  type UpdateMessageRequest,
  type UpdateMessageResponse,
} from '../schemas/message.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import { getContextCardContract, getSummaryContract } from '../schemas/operations/context.ts';
import { getExtractionContract } from '../schemas/operations/jobs.ts';
import {
  addThreadMemoryContract,
  deleteThreadMemoryContract,
  updateThreadMemoryContract,
} from '../schemas/operations/memories.ts';
import {
  addMessagesContract,
  deleteMessageContract,
  getMessagesContract,
  updateMessageContract,
} from '../schemas/operations/messages.ts';
import { searchThreadContract } from '../schemas/operations/search.ts';
import { updateThreadContract } from '../schemas/operations/threads.ts';
import type { SearchOptions, SearchResult } from '../schemas/search.ts';
import type { ThreadObject, UpdateThreadRequest } from '../schemas/thread.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import { ContextCard } from '../schemas/values/context-card.ts';
import { Summary } from '../schemas/values/summary.ts';
import { withOptions } from '../schemas/with-options.ts';
import type { HttpConnection } from './http-connection.ts';
import { readWindow } from './read-window.ts';
import { waitForExtraction } from './wait-for-extraction.ts';

/** A live handle on one thread over HTTP. Its fields are what the service said when the handle was made. */
export class HttpThread implements ThreadApi {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  readonly extraction: ThreadObject['extraction'];
  readonly contextCardTokenLimit: number;
  readonly maxMessageTokenLength: number;
  readonly messageShorteningInputTokenLimit: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly #connection: HttpConnection;
  readonly #idempotencyKey: string | undefined;

  constructor(connection: HttpConnection, thread: ThreadObject, idempotencyKey?: string) {
    this.#connection = connection;
    this.#idempotencyKey = idempotencyKey;
    this.threadId = thread.threadId;
    this.userId = thread.userId;
    this.agentId = thread.agentId;
    this.metadata = thread.metadata;
    this.extraction = thread.extraction;
    this.contextCardTokenLimit = thread.contextCardTokenLimit;
    this.maxMessageTokenLength = thread.maxMessageTokenLength;
    this.messageShorteningInputTokenLimit = thread.messageShorteningInputTokenLimit;
    this.createdAt = thread.createdAt;
    this.updatedAt = thread.updatedAt;
  }

  async update(request: UpdateThreadRequest): Promise<HttpThread> {
    const input = { ...this.#target, body: request };
    return new HttpThread(this.#connection, await this.#connection.call(updateThreadContract, input));
  }

  async addMessages(
    messages: readonly NewMessage[],
    options: AddMessagesOptions = {},
  ): Promise<AddMessagesResponse> {
    const body = parseRequest(addMessagesRequestSchema, withOptions({ messages }, options));
    return this.#connection.call(addMessagesContract, { ...this.#target, body }, this.#idempotencyKey);
  }

  async updateMessage(messageId: string, request: UpdateMessageRequest): Promise<UpdateMessageResponse> {
    const parameters = { threadId: this.threadId, messageId };
    return this.#connection.call(updateMessageContract, { parameters, query: {}, body: request });
  }

  async deleteMessage(messageId: string): Promise<number> {
    const parameters = { threadId: this.threadId, messageId };
    const input = { parameters, query: {}, body: undefined };
    return (await this.#connection.call(deleteMessageContract, input)).deleted;
  }

  async getMessages(window: MessageWindow = {}): Promise<readonly Message[]> {
    const { start, end } = parseRequest(messageWindowSchema, window);
    const { parameters } = this.#target;
    return readWindow(
      (part) => {
        const query = { start: part.start?.toString(), end: part.end?.toString() };
        return this.#connection.call(getMessagesContract, { parameters, query, body: undefined });
      },
      { start, end },
    );
  }

  async addMemory(content: string, options: AddMemoryOptions = {}): Promise<string> {
    const input = { ...this.#target, body: withOptions({ content }, options) };
    return (await this.#connection.call(addThreadMemoryContract, input, this.#idempotencyKey)).id;
  }

  async updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string> {
    const parameters = { threadId: this.threadId, memoryId };
    const input = { parameters, query: {}, body: request };
    return (await this.#connection.call(updateThreadMemoryContract, input)).id;
  }

  async deleteMemory(memoryId: string): Promise<number> {
    const parameters = { threadId: this.threadId, memoryId };
    const input = { parameters, query: {}, body: undefined };
    return (await this.#connection.call(deleteThreadMemoryContract, input)).deleted;
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchResult[]> {
    const body = withOptions({ query }, options);
    return (await this.#connection.call(searchThreadContract, { ...this.#target, body })).results;
  }

  async getContextCard(request: ContextCardRequest = {}): Promise<ContextCard> {
    const input = { ...this.#target, body: request };
    return new ContextCard(await this.#connection.call(getContextCardContract, input));
  }

  async getSummary(request: SummaryRequest = {}): Promise<Summary> {
    return new Summary(await this.#connection.call(getSummaryContract, { ...this.#target, body: request }));
  }

  async getExtraction(): Promise<ThreadExtraction> {
    return this.#connection.call(getExtractionContract, { ...this.#target, body: undefined });
  }

  waitForExtraction(options: WaitForExtractionOptions = {}): Promise<FinishedExtraction> {
    return waitForExtraction(this.#connection, this.threadId, options);
  }

  withIdempotencyKey(idempotencyKey: string): HttpThread {
    return new HttpThread(this.#connection, this, checkIdempotencyKey(idempotencyKey, 'idempotencyKey'));
  }

  get #target() {
    return { parameters: { threadId: this.threadId }, query: {} };
  }
}
