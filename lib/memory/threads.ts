import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { CallerLimits } from '../schemas/caller-limits.ts';
import { writeCursor } from '../schemas/cursor.ts';
import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import type {
  CreateThreadRequest,
  ListThreadsRequest,
  ThreadObject,
  ThreadPage,
  UpdateThreadRequest,
} from '../schemas/thread.ts';
import type { StoredThread, ThreadChange } from '../store/threads/stored-thread.ts';
import { takeWithinAnswer } from './answer-size.ts';
import {
  assertExtractable,
  givenFields,
  resolveExtractionConfig,
  resolveThreadConfig,
} from './extraction-config.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

type ShownThread = Pick<
  StoredThread,
  'threadId' | 'userId' | 'agentId' | 'metadata' | 'config' | 'createdAt' | 'updatedAt'
>;

/** Fields stand in the order in which they are documented; the database keeps JSON in an order of its own. */
function toThreadObject(thread: ShownThread): ThreadObject {
  const { config } = thread;
  return {
    threadId: thread.threadId,
    userId: thread.userId,
    agentId: thread.agentId,
    metadata: thread.metadata,
    extraction: resolveExtractionConfig(config.extraction, {}),
    contextCardTokenLimit: config.contextCardTokenLimit,
    maxMessageTokenLength: config.maxMessageTokenLength,
    messageShorteningInputTokenLimit: config.messageShorteningInputTokenLimit,
    createdAt: thread.createdAt,
    updatedAt: thread.updatedAt,
  };
}

/** An id that was left out: the only one that the caller may use, a new one for a caller without such a limit. */
function newOwnId(
  { limits = {}, newId }: MemoryContext,
  list: keyof CallerLimits,
  field: 'threadId' | 'userId' | 'agentId',
): string {
  const allowed = limits[list];
  if (allowed === undefined) return newId();
  const [only] = allowed;
  if (only !== undefined && allowed.length === 1) return only;
  throw invalidRequest(field, 'must be given: the credential reaches several or none');
}

/**
 * Creates a thread; omitted ids become a UUID each (contract §3.2), those of a limited caller the only id that they may use
 * (HTTP API contract, Callers). Two round trips. Errors: `conflict` for a taken id,
 * `invalid_request` for an omitted id of which the caller may use several, and for extraction without a language model (D23), `unsupported` for background extraction.
 */
export async function createThread(
  context: MemoryContext,
  request: CreateThreadRequest,
): Promise<ThreadObject> {
  const config = resolveThreadConfig(request, context);
  const thread = {
    threadId: request.threadId ?? newOwnId(context, 'threads', 'threadId'),
    userId: request.userId ?? newOwnId(context, 'users', 'userId'),
    agentId: request.agentId ?? newOwnId(context, 'agents', 'agentId'),
    metadata: request.metadata ?? {},
    config,
  };
  const { createdAt } =
    context.recorded ?? (await context.store.createThread(thread, { signal: context.signal }));
  return toThreadObject({ ...thread, createdAt, updatedAt: createdAt });
}

/** Reads a thread with its resolved configuration. One round trip. Errors: `not_found`. */
export async function getThread(context: MemoryContext, threadId: string): Promise<ThreadObject> {
  const stored = await context.store.getThread(threadId, { signal: context.signal });
  return toThreadObject(requireFound(stored, 'thread', threadId));
}

/**
 * Threads of a user, of an agent or of all, newest first; stable while others create and delete (HTTP API contract,
 * Conventions). One round trip.
 */
export async function listThreads(context: MemoryContext, request: ListThreadsRequest): Promise<ThreadPage> {
  const { userId, agentId, limit = DEFAULT_PAGE_LIMIT, cursor } = request;
  const { threads, more } = await context.store.listThreads(
    { userId, agentId, before: cursor, limit },
    { signal: context.signal },
  );
  const items = takeWithinAnswer(threads.map(({ thread }) => toThreadObject(thread)));
  const last = threads[items.length - 1];
  const goesOn = more || items.length < threads.length;
  return {
    items: [...items],
    nextCursor: goesOn && last !== undefined ? writeCursor('threads', last.position) : null,
  };
}

/** What a request changes; undefined when it gives no field. Null metadata is an empty object. */
function toThreadChange({ metadata, extraction, ...limits }: UpdateThreadRequest): ThreadChange | undefined {
  const config = givenFields({ ...limits, extraction: givenFields(extraction ?? {}) });
  const { extraction: given = {}, ...others } = config;
  const isChange = metadata !== undefined || Object.keys(given).length + Object.keys(others).length > 0;
  return isChange ? { metadata: metadata === null ? {} : metadata, config } : undefined;
}

/**
 * Changes metadata and settings of a thread: metadata is replaced whole, null clears it; settings are merged field by
 * field onto the stored ones (contract §3.2). A request without a field changes nothing, `updatedAt` neither. Two round
 * trips, one without a field. Errors: `not_found`, `invalid_request` for turning extraction on without a language model
 * (D23), `unsupported` for background extraction.
 */
export async function updateThread(
  context: MemoryContext,
  threadId: string,
  request: UpdateThreadRequest,
): Promise<ThreadObject> {
  assertExtractable(request.extraction ?? {}, context);
  const change = toThreadChange(request);
  if (change === undefined) return getThread(context, threadId);
  const stored = await context.store.updateThread(threadId, change, { signal: context.signal });
  return toThreadObject(requireFound(stored, 'thread', threadId));
}

/**
 * Removes a thread and everything that carries its id in one transaction (contract §3.3): 1 when there was a thread. Records
 * that name a thread without a row go too, and the answer is 0 (contract §10.2). One round trip.
 */
export function deleteThread(context: MemoryContext, threadId: string): Promise<number> {
  return context.store.deleteThread(threadId, { signal: context.signal });
}
