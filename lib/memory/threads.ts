import type { CreateThreadRequest, ThreadObject } from '../schemas/thread.ts';
import type { StoredThread } from '../store/memory-store.ts';
import { resolveExtractionConfig, resolveThreadConfig } from './extraction-config.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

/** Fields stand in the order in which they are documented; the database keeps JSON in an order of its own. */
function toThreadObject(thread: StoredThread): ThreadObject {
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

/**
 * Creates a thread; omitted ids become a UUID each (contract §3.2). Two round trips. Errors: `conflict` for a taken id,
 * `invalid_request` for extraction without a language model (D23), `unsupported` for background extraction.
 */
export async function createThread(
  context: MemoryContext,
  request: CreateThreadRequest,
): Promise<ThreadObject> {
  const config = resolveThreadConfig(request, context);
  const stored = await context.store.createThread(
    {
      threadId: request.threadId ?? context.newId(),
      userId: request.userId ?? context.newId(),
      agentId: request.agentId ?? context.newId(),
      metadata: request.metadata ?? {},
      config,
    },
    { signal: context.signal },
  );
  return toThreadObject(stored);
}

/** Reads a thread with its resolved configuration. One round trip. Errors: `not_found`. */
export async function getThread(context: MemoryContext, threadId: string): Promise<ThreadObject> {
  const stored = await context.store.getThread(threadId, { signal: context.signal });
  return toThreadObject(requireFound(stored, 'thread', threadId));
}

/** Removes a thread and everything that carries its id in one transaction (contract §3.3). 1 when it existed. */
export function deleteThread(context: MemoryContext, threadId: string): Promise<number> {
  return context.store.deleteThread(threadId, { signal: context.signal });
}
