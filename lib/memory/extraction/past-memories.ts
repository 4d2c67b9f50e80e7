import { MEMORY_TYPES, type MemoryRecord } from '../../schemas/record.ts';
import type { StoredMessage } from '../../store/stored-message.ts';
import type { StoredThread } from '../../store/stored-thread.ts';
import type { MemoryContext } from '../memory-context.ts';
import { joinNewest } from '../newest-text.ts';
import { createStoreQuery } from '../retrieval-rows.ts';
import { ownersOf } from '../search-scope.ts';

/** Past memories that new ones are compared with, so that a quotation of many is not stored again. */
const PAST_MEMORY_COUNT = 100;
/** Past memories that an extractor is shown, the nearest. */
export const SHOWN_MEMORY_COUNT = 20;

/**
 * What is already known about the thread's user and agent near the due messages, nearest first (contract §8.4). One
 * round trip, one query embedding.
 */
export async function findPastMemories(
  context: MemoryContext,
  thread: StoredThread,
  due: readonly StoredMessage[],
): Promise<readonly MemoryRecord[]> {
  const query = await createStoreQuery(context, joinNewest(context, due));
  const hits = await context.store.search(
    {
      threadId: undefined,
      scope: ownersOf(thread),
      recordTypes: MEMORY_TYPES,
      metadataFilter: null,
      maxResults: PAST_MEMORY_COUNT,
      query,
      minimums: {},
    },
    { signal: context.signal },
  );
  return (hits ?? []).map((hit) => hit.record);
}
