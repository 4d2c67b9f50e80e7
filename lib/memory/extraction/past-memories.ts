import { MEMORY_TYPES, type MemoryRecord } from '../../schemas/record.ts';
import type { ExtractionInput } from '../../store/extraction/extraction-outcome.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';
import type { StoreSearch } from '../../store/search/store-search.ts';
import type { MemoryContext } from '../memory-context.ts';
import { joinNewest } from '../newest-text.ts';
import { createStoreQuery } from '../retrieval-rows.ts';
import { withoutContextCards } from './context-card-echo.ts';
import { MEMORY_CONTENT_LIMIT } from './extraction-answer.ts';

/** Past memories that a search brings, for the extractor and for comparison. */
const PAST_MEMORY_COUNT = 100;
/**
 * The newest memories that what a pass found is compared with beside those near its messages: more than two passes can add
 * together, and none that no extracted statement can repeat.
 */
export const COMPARED_MEMORIES = { count: 1_000, characters: MEMORY_CONTENT_LIMIT } as const;
/** Past memories that an extractor is shown, the nearest. */
export const SHOWN_MEMORY_COUNT = 20;

/** What the caller of a pass knows of its messages before they are read. */
export interface KnownMessages {
  readonly threadId: string;
  /** Contents of the messages that are due, oldest first. */
  readonly contents: readonly string[];
}

/** A search for past memories, and the text that it was made of. */
export interface PastMemorySearch {
  readonly text: string;
  readonly search: StoreSearch;
}

async function createSearch(
  context: MemoryContext,
  threadId: string,
  text: string,
): Promise<PastMemorySearch> {
  return {
    text,
    search: {
      threadId,
      scope: {
        user: { kind: 'exact_of_thread' },
        agent: { kind: 'exact_of_thread' },
        thread: { kind: 'boost_of_thread' },
      },
      recordTypes: MEMORY_TYPES,
      metadataFilter: null,
      maxResults: PAST_MEMORY_COUNT,
      isOfService: true,
      query: await createStoreQuery(context, text),
      minimums: {},
    },
  };
}

/**
 * The search for past memories near messages that are known before they are read, so that what it finds comes with them
 * in one round trip. Undefined when they say nothing to look for. One query embedding.
 */
export async function searchAhead(
  context: MemoryContext,
  { threadId, contents }: KnownMessages,
): Promise<PastMemorySearch | undefined> {
  const said = contents.map(withoutContextCards).filter((content) => content !== '');
  if (said.length === 0) return undefined;
  const text = joinNewest(
    context,
    said.map((content) => ({ content })),
  );
  return createSearch(context, threadId, text);
}

/**
 * What is already known about the thread's user and agent near the due messages, nearest first (contract §8.4). One
 * round trip and one query embedding, unless a search ahead has looked for the same text: then none.
 */
export async function findPastMemories(
  context: MemoryContext,
  input: ExtractionInput,
  due: readonly StoredMessage[],
  ahead: PastMemorySearch | undefined,
): Promise<readonly MemoryRecord[]> {
  const text = joinNewest(context, due);
  if (ahead?.text === text) return input.pastMemories;
  const { search } = await createSearch(context, input.thread.threadId, text);
  const hits = await context.store.search(search, { signal: context.signal });
  return (hits ?? []).map((hit) => hit.record);
}
