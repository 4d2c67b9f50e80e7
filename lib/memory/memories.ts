import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { AddMemoryRequest } from '../schemas/memory.ts';
import type { CreatedId, MemoryRecord } from '../schemas/record.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { createRetrievalRows } from './retrieval-rows.ts';

interface MemoryOwners {
  readonly userId: string | null | undefined;
  readonly agentId: string | null | undefined;
  readonly threadId: string | null | undefined;
}

async function writeMemory(
  context: MemoryContext,
  request: AddMemoryRequest,
  owners: MemoryOwners,
  fromThread: string | undefined,
): Promise<CreatedId> {
  const timestamp = request.timestamp ?? null;
  const ttlAnchor = request.ttlAnchor ?? 'created_at';
  if (ttlAnchor === 'timestamp' && timestamp === null) {
    throw invalidRequest('timestamp', 'is needed when ttlAnchor is "timestamp"');
  }
  const id = request.memoryId ?? context.newId();
  const [chunks = []] = await createRetrievalRows(context, [request.content]);
  await context.store.addRecord(
    {
      family: 'memory',
      recordType: request.memoryType ?? 'memory',
      id,
      content: request.content,
      metadata: request.metadata ?? {},
      timestamp,
      ...owners,
      ttlDays: request.ttlDays,
      ttlAnchor,
      chunks,
    },
    fromThread,
    { signal: context.signal },
  );
  return { id };
}

/**
 * Adds a memory to a thread: omitted ids are the thread's, null leaves the memory unscoped in that dimension
 * (contract §4.3). One round trip, one embedding pass. Errors: `not_found`, `conflict`, `invalid_request`.
 */
export function addThreadMemory(
  context: MemoryContext,
  threadId: string,
  request: AddMemoryRequest,
): Promise<CreatedId> {
  const { userId, agentId, threadId: memoryThreadId } = request;
  return writeMemory(context, request, { userId, agentId, threadId: memoryThreadId }, threadId);
}

/**
 * Adds a memory without default scope: an omitted id leaves it unscoped in that dimension (contract §3.2). One round
 * trip, one embedding pass. Errors: `conflict`, `invalid_request`.
 */
export function addMemory(context: MemoryContext, request: AddMemoryRequest): Promise<CreatedId> {
  const { userId = null, agentId = null, threadId = null } = request;
  return writeMemory(context, request, { userId, agentId, threadId }, undefined);
}

/** Reads a memory of any thread. One round trip. Errors: `not_found`. */
export async function getMemory(context: MemoryContext, memoryId: string): Promise<MemoryRecord> {
  const record = await context.store.getRecord('memory', memoryId, { signal: context.signal });
  return requireFound(record, 'memory', memoryId);
}

/** Deletes a memory of any thread; 0 when there was none (contract D7). One round trip. */
export function deleteMemory(context: MemoryContext, memoryId: string): Promise<number> {
  return context.store.deleteRecord('memory', memoryId, { signal: context.signal });
}
