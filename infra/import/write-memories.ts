import type { AgentMemoryApi } from '../../lib/schemas/agent-memory-api.ts';
import type { PendingRecordBatch } from '../../lib/schemas/pending-record-batch.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { isConflict, isNotFound } from './failure-kind.ts';
import type { PlannedMemory } from './import-plan.ts';
import { runAtOnce } from './run-at-once.ts';
import type { ImportTally } from './run-import.ts';
import { splitBySize } from './split-by-size.ts';

/** Adds memories in batches; a batch of which some are there is added one by one. */
export async function writeMemories(
  memory: AgentMemoryApi,
  planned: readonly PlannedMemory[],
  concurrency: number,
  tally: ImportTally,
): Promise<void> {
  const batches = [...Map.groupBy(planned, kindOf).values()].flatMap(splitBySize);
  await runAtOnce(batches, concurrency, async (batch) => {
    if (await add(memory, batch)) tally.added += batch.length;
    else for (const each of batch) tally[await addOne(memory, each)] += 1;
  });
}

/** What a batch has in common: its type, and whether its records say how long they stay. */
function kindOf({ memoryType, ttlDays, timestamp }: PlannedMemory): string {
  return `${memoryType} ${ttlDays !== undefined} ${ttlDays !== undefined && timestamp !== null}`;
}

/** False, with nothing written, when one of the ids is taken. */
async function add(memory: AgentMemoryApi, batch: readonly PlannedMemory[]): Promise<boolean> {
  try {
    await memory.records.add(recordBatch(batch));
    return true;
  } catch (error) {
    if (isConflict(error)) return false;
    throw error;
  }
}

function recordBatch(batch: readonly PlannedMemory[]): PendingRecordBatch {
  const [{ memoryType: recordType = 'memory', ttlDays = undefined, timestamp = null } = {}] = batch;
  return {
    recordType,
    contents: batch.map(({ content }) => content),
    recordIds: batch.map(({ memoryId }) => memoryId),
    userIds: batch.map(({ userId }) => userId),
    agentIds: batch.map(({ agentId }) => agentId),
    threadIds: batch.map(({ threadId }) => threadId),
    timestamps: batch.map((each) => each.timestamp),
    metadata: batch.map(({ metadata }) => metadata),
    ...(ttlDays !== undefined && {
      ttlDays: batch.map((each) => each.ttlDays ?? null),
      ttlAnchor: timestamp === null ? 'created_at' : 'timestamp',
    }),
  };
}

async function addOne(memory: AgentMemoryApi, planned: PlannedMemory): Promise<keyof ImportTally> {
  const stored = await find(memory, planned.memoryId);
  if (stored !== undefined) return isSame(stored, planned) ? 'unchanged' : 'different';
  // A taken id of which nothing can be read is that of a record that has expired.
  return (await add(memory, [planned])) ? 'added' : 'unchanged';
}

async function find(memory: AgentMemoryApi, memoryId: string): Promise<MemoryRecord | undefined> {
  try {
    return await memory.getMemory(memoryId);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function isSame(stored: MemoryRecord, { content, userId, agentId, threadId }: PlannedMemory): boolean {
  return (
    stored.content === content &&
    stored.userId === userId &&
    stored.agentId === agentId &&
    stored.threadId === threadId
  );
}
