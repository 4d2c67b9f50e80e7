import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { Chunk } from '../../lib/store/records/stored-record.ts';
import {
  direction,
  messageAppend,
  newMessage,
  newRecord,
  newThread,
  threadConfig,
} from '../store/store-samples.ts';

/** A retrieval row at an angle from the first axis. */
export function chunkAt(degrees: number, text = `chunk at ${degrees} degrees`): Chunk {
  return { text, embedding: direction(degrees) };
}

/** The cosine distance of `chunkAt(degrees)` from the first axis. */
export function distanceAt(degrees: number): number {
  return 1 - Math.cos((degrees * Math.PI) / 180);
}

/** A thread of the same user id with two messages, a memory, retrieval rows and a job. */
export async function fillThread(store: MemoryStore, threadId: string): Promise<void> {
  const config = threadConfig({ extractionMode: 'background' });
  await store.createThread(newThread(threadId, { userId: threadId, config }));
  const messages = [1, 2].map((number) =>
    newMessage(`${threadId} message ${number}`, { chunks: [chunkAt(10), chunkAt(20)] }),
  );
  await store.appendMessages(messageAppend(threadId, messages));
  await store.addRecord(
    newRecord(`${threadId} memory`, { timestamp: '2026-11-01T00:00:00.000Z', chunks: [chunkAt(30)] }),
    threadId,
  );
}

/** A lifetime that ended long ago. */
export const EXPIRED = {
  timestamp: '2020-01-01T00:00:00.000Z',
  ttlDays: 1,
  ttlAnchor: 'timestamp',
} as const;
