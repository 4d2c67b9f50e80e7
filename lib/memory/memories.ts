import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { AddMemoryRequest, ListMemoriesRequest } from '../schemas/memory.ts';
import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import type { CreatedId, MemoryRecord, RecordPage } from '../schemas/record.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';
import { toRecordPage } from './record-page.ts';
import { createRetrievalRows } from './retrieval-rows.ts';
import { ttlWarnings } from './ttl-warnings.ts';

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
  if (context.recorded === undefined) {
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
  }
  return { id, ...ttlWarnings(context.store.retention, [request.ttlDays]) };
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

/** Deletes a memory of exactly this thread; 0 for any other (contract §4.4). One round trip. */
export function deleteThreadMemory(
  context: MemoryContext,
  threadId: string,
  memoryId: string,
): Promise<number> {
  return context.store.deleteRecord('memory', memoryId, { threadId, signal: context.signal });
}

/**
 * Memories that match every given field, oldest first; without `status` only active ones, never expired ones. Stable
 * while others write (contract D12; HTTP API contract, Conventions). One round trip.
 */
export async function listMemories(
  context: MemoryContext,
  request: ListMemoriesRequest,
): Promise<RecordPage> {
  const { memoryType, status = 'active', limit = DEFAULT_PAGE_LIMIT, cursor, ...owners } = request;
  const page = await context.store.listRecords(
    { family: 'memory', ...owners, recordType: memoryType, status, after: cursor, limit },
    { signal: context.signal },
  );
  return toRecordPage('memories', page);
}
