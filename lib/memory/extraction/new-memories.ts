import type { JsonObject } from '../../schemas/metadata.ts';
import type { NewRecord, StoredThread } from '../../store/memory-store.ts';
import type { MemoryContext } from '../memory-context.ts';
import { createRetrievalRows } from '../retrieval-rows.ts';
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

/**
 * The records of extracted memories: owned by the thread, its user and its agent, without event time (contract §8.4).
 * One embedding pass for all of them.
 */
export async function createMemoryRecords(
  context: MemoryContext,
  memories: readonly ExtractedMemory[],
  origin: MemoryOrigin,
): Promise<readonly NewRecord[]> {
  const { thread, jobId } = origin;
  const chunks = await createRetrievalRows(
    context,
    memories.map((memory) => memory.content),
  );
  return Promise.all(
    memories.map(async (memory, ordinal) => ({
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
      chunks: chunks[ordinal] ?? [],
    })),
  );
}
