import type { ThreadApi } from '../schemas/agent-memory-api.ts';
import {
  type ContextCardRequest,
  contextCardRequestSchema,
  type SummaryRequest,
  summaryRequestSchema,
} from '../schemas/context-card.ts';
import {
  type FinishedExtraction,
  type WaitForExtractionOptions,
  waitForExtractionOptionsSchema,
} from '../schemas/extraction-wait.ts';
import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
import type { ThreadExtraction } from '../schemas/job.ts';
import {
  type AddMemoryOptions,
  addMemoryRequestSchema,
  memoryParametersSchema,
  type UpdateMemoryRequest,
  updateMemoryRequestSchema,
} from '../schemas/memory.ts';
import {
  type AddMessagesOptions,
  type AddMessagesResponse,
  addMessagesRequestSchema,
  type Message,
  type MessageWindow,
  messageParametersSchema,
  messageWindowSchema,
  type NewMessage,
  type UpdateMessageRequest,
  type UpdateMessageResponse,
  updateMessageRequestSchema,
} from '../schemas/message.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import { type SearchOptions, type SearchResult, searchRequestSchema } from '../schemas/search.ts';
import { type ThreadObject, type UpdateThreadRequest, updateThreadRequestSchema } from '../schemas/thread.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import type { ContextCard } from '../schemas/values/context-card.ts';
import type { Summary } from '../schemas/values/summary.ts';
import { withOptions } from '../schemas/with-options.ts';
import { getContextCard } from './context-card.ts';
import { inProcess, runOnce } from './idempotency/run-once.ts';
import { getExtraction } from './jobs.ts';
import { addThreadMemory, deleteThreadMemory } from './memories.ts';
import type { MemoryContext } from './memory-context.ts';
import { updateThreadMemory } from './memory-updates.ts';
import { deleteMessage, updateMessage } from './message-changes.ts';
import { addMessages, readWholeWindow } from './messages.ts';
import { searchThread } from './search.ts';
import { getSummary } from './summary.ts';
import { updateThread } from './threads.ts';
import { waitForAllExtraction } from './wait-for-extraction.ts';

/**
 * A live handle on one thread in this process (contract §4). Its fields are what the store said when the handle was
 * made; its methods read and write the store. Invalid arguments throw `invalid_request` naming the field.
 */
export class Thread implements ThreadApi {
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
  readonly #context: MemoryContext;
  readonly #idempotencyKey: string | undefined;

  constructor(context: MemoryContext, thread: ThreadObject, idempotencyKey?: string) {
    this.#context = context;
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

  async update(request: UpdateThreadRequest): Promise<Thread> {
    const change = parseRequest(updateThreadRequestSchema, request);
    return new Thread(this.#context, await updateThread(this.#context, this.threadId, change));
  }

  async addMessages(
    messages: readonly NewMessage[],
    options: AddMessagesOptions = {},
  ): Promise<AddMessagesResponse> {
    const request = parseRequest(addMessagesRequestSchema, withOptions({ messages }, options));
    return this.#once('addMessages', request, (context) => addMessages(context, this.threadId, request));
  }

  async updateMessage(messageId: string, request: UpdateMessageRequest): Promise<UpdateMessageResponse> {
    const { threadId } = this;
    const parameters = parseRequest(messageParametersSchema, { threadId, messageId });
    const change = parseRequest(updateMessageRequestSchema, request);
    return updateMessage(this.#context, threadId, parameters.messageId, change);
  }

  async deleteMessage(messageId: string): Promise<number> {
    const { threadId } = this;
    const parameters = parseRequest(messageParametersSchema, { threadId, messageId });
    return deleteMessage(this.#context, threadId, parameters.messageId);
  }

  async getMessages(window: MessageWindow = {}): Promise<readonly Message[]> {
    const request = parseRequest(messageWindowSchema, window);
    return readWholeWindow(this.#context, this.threadId, request);
  }

  async addMemory(content: string, options: AddMemoryOptions = {}): Promise<string> {
    const request = parseRequest(addMemoryRequestSchema, withOptions({ content }, options));
    const add = (context: MemoryContext) => addThreadMemory(context, this.threadId, request);
    return (await this.#once('addThreadMemory', request, add)).id;
  }

  async updateMemory(memoryId: string, request: UpdateMemoryRequest): Promise<string> {
    const parameters = parseRequest(memoryParametersSchema, { memoryId });
    const change = parseRequest(updateMemoryRequestSchema, request);
    return (await updateThreadMemory(this.#context, this.threadId, parameters.memoryId, change)).id;
  }

  async deleteMemory(memoryId: string): Promise<number> {
    const parameters = parseRequest(memoryParametersSchema, { memoryId });
    return deleteThreadMemory(this.#context, this.threadId, parameters.memoryId);
  }

  async search(query: string, options: SearchOptions = {}): Promise<readonly SearchResult[]> {
    const request = parseRequest(searchRequestSchema, withOptions({ query }, options));
    return (await searchThread(this.#context, this.threadId, request)).results;
  }

  async getContextCard(request: ContextCardRequest = {}): Promise<ContextCard> {
    return getContextCard(this.#context, this.threadId, parseRequest(contextCardRequestSchema, request));
  }

  async getSummary(request: SummaryRequest = {}): Promise<Summary> {
    return getSummary(this.#context, this.threadId, parseRequest(summaryRequestSchema, request));
  }

  async getExtraction(): Promise<ThreadExtraction> {
    return getExtraction(this.#context, this.threadId);
  }

  async waitForExtraction(options: WaitForExtractionOptions = {}): Promise<FinishedExtraction> {
    const request = parseRequest(waitForExtractionOptionsSchema, options);
    return waitForAllExtraction(this.#context, this.threadId, request);
  }

  withIdempotencyKey(idempotencyKey: string): Thread {
    return new Thread(this.#context, this, checkIdempotencyKey(idempotencyKey, 'idempotencyKey'));
  }

  #once<Answer>(
    operationId: string,
    body: unknown,
    run: (context: MemoryContext) => Promise<Answer>,
  ): Promise<Answer> {
    const identity = { operationId, parameters: { threadId: this.threadId }, body };
    return runOnce(this.#context, identity, inProcess(this.#idempotencyKey), run);
  }
}
