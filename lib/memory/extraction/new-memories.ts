import type { JsonObject } from '../../schemas/metadata.ts';
import type { NewRecord } from '../../store/records/stored-record.ts';
import type { StoredThread } from '../../store/threads/stored-thread.ts';
import type { NewMemory } from './distinct-memories.ts';
import type { ExtractedMemory } from './extraction-answer.ts';
import { BOOKKEEPING_KEY } from './inherited-metadata.ts';
import { deriveMemoryId } from './memory-id.ts';

/** What all memories of one pass have in common. */
export interface MemoryOrigin {
  readonly jobId: string;
  readonly modelId: string;
  readonly thread: StoredThread;
  readonly inherited: JsonObject;
}

function createMetadata(memory: ExtractedMemory, { jobId, modelId, inherited }: MemoryOrigin): JsonObject {
  const bookkeeping = {
    importance: memory.importance,
    entities: memory.entities,
    extraction_id: memory.topic,
    sourceMessageIds: memory.sourceMessageIds,
    jobId,
    model: modelId,
  };
  return { ...inherited, [BOOKKEEPING_KEY]: bookkeeping };
}

/** The records of new memories: owned by the thread, its user and its agent, without event time (contract §8.4). */
export async function createMemoryRecords(
  memories: readonly NewMemory[],
  origin: MemoryOrigin,
): Promise<readonly NewRecord[]> {
  const { thread, jobId } = origin;
  return Promise.all(
    memories.map(async ({ memory, chunks }, ordinal) => ({
      family: 'memory' as const,
      recordType: memory.type,
      id: await deriveMemoryId(jobId, ordinal),
      content: memory.content,
      metadata: createMetadata(memory, origin),
      timestamp: null,
      userId: thread.userId,
      agentId: thread.agentId,
      threadId: thread.threadId,
      ttlDays: undefined,
      ttlAnchor: 'created_at' as const,
      chunks,
    })),
  );
}
