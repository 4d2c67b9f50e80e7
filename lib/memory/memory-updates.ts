import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { UpdateMemoryRequest } from '../schemas/memory.ts';
import type { UpdatedId } from '../schemas/record.ts';
import type { MemoryContext } from './memory-context.ts';
import { notFound } from './not-found.ts';
import { changedContent, changedLifetime, changedMetadata, isChange } from './record-change.ts';
import { ttlWarnings } from './ttl-warnings.ts';

/** Why an update found nothing: a guideline that this caller may not change, or no such memory. */
async function refusal(
  context: MemoryContext,
  memoryId: string,
  threadId: string | undefined,
  mayChangeGuidelines: boolean,
): Promise<AgentMemoryError | undefined> {
  const record = await context.store.getRecord('memory', memoryId, { signal: context.signal });
  if (record === undefined || (threadId !== undefined && record.threadId !== threadId)) {
    return notFound('memory', memoryId);
  }
  if (mayChangeGuidelines || record.recordType !== 'guideline') return undefined;
  return new AgentMemoryError('forbidden', 'the credential lacks the scope guidelines:write');
}

async function changeMemory(
  context: MemoryContext,
  memoryId: string,
  threadId: string | undefined,
  request: UpdateMemoryRequest,
): Promise<UpdatedId> {
  const mayChangeGuidelines = context.permits?.('guidelines:write') ?? true;
  if (!isChange(request)) {
    const reason = await refusal(context, memoryId, threadId, mayChangeGuidelines);
    if (reason !== undefined) throw reason;
    return { id: memoryId };
  }
  const lifetime = changedLifetime(request);
  const content = await changedContent(context, request.content);
  const metadata = changedMetadata(request.metadata);
  const updated = await context.store.updateRecord(
    'memory',
    memoryId,
    { content, metadata, timestamp: request.timestamp, lifetime },
    { threadId, exceptType: mayChangeGuidelines ? undefined : 'guideline', signal: context.signal },
  );
  if (updated) return { id: memoryId, ...ttlWarnings(context.store.retention, [request.ttlDays]) };
  const reason = mayChangeGuidelines ? undefined : await refusal(context, memoryId, threadId, false);
  throw reason ?? notFound('memory', memoryId);
}

/**
 * Changes a memory of any thread (contract §4.5): an absent field stays, metadata is replaced whole, new content is
 * chunked and embedded anew and replaces the retrieval rows in the same write. Id, type and owners never change,
 * whatever the metadata says. One round trip, and an embedding pass when content is given; a refused change of a
 * caller without `guidelines:write` takes a second one. Errors: `not_found` also for an expired memory,
 * `invalid_request`, `forbidden`.
 */
export function updateMemory(
  context: MemoryContext,
  memoryId: string,
  request: UpdateMemoryRequest,
): Promise<UpdatedId> {
  return changeMemory(context, memoryId, undefined, request);
}

/** As `updateMemory`, for a memory whose stored thread is exactly this one, else `not_found`. */
export function updateThreadMemory(
  context: MemoryContext,
  threadId: string,
  memoryId: string,
  request: UpdateMemoryRequest,
): Promise<UpdatedId> {
  return changeMemory(context, memoryId, threadId, request);
}
