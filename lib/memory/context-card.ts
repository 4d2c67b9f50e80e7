import type { ContextCard, ContextCardRequest } from '../schemas/context-card.ts';
import { MEMORY_TYPES } from '../schemas/record.ts';
import type { SearchResult } from '../schemas/search.ts';
import type { StoredMessage, StoredThread } from '../store/memory-store.ts';
import { askForOverview, createPlainOverview } from './card-overview.ts';
import { createContextCard } from './context-card-format.ts';
import type { MemoryContext } from './memory-context.ts';
import { toMessage } from './messages.ts';
import { joinNewest } from './newest-text.ts';
import { requireFound } from './not-found.ts';
import { createStoreQuery } from './retrieval-rows.ts';
import { toSearchResult } from './search.ts';
import { ownersOf } from './search-scope.ts';

/** Each count of a card when the request does not say (contract §9.1). */
const DEFAULT_COUNT = 5;
/** Newest messages that a language model reads for summary and topics beside the running summary. */
const OVERVIEW_MESSAGES = 50;

type Minimums = NonNullable<ContextCardRequest['minRelevantResultsByType']>;

/** An omitted maximum is max(5, sum of the minimums) (contract §9.1). */
function resolveMaximum(given: number | undefined, minimums: Minimums): number {
  const sum = Object.values(minimums).reduce((total, minimum = 0) => total + minimum, 0);
  return given ?? Math.max(DEFAULT_COUNT, sum);
}

/** Memories near the newest messages: exactly this user and agent, this thread's ahead (contract D15). */
async function findRelevant(
  context: MemoryContext,
  thread: StoredThread,
  retrievalMessages: readonly StoredMessage[],
  request: ContextCardRequest,
): Promise<SearchResult[]> {
  const minimums = request.minRelevantResultsByType ?? {};
  const maxResults = resolveMaximum(request.maxRelevantResults, minimums);
  if (maxResults === 0 || retrievalMessages.length === 0) return [];
  const hits = await context.store.search(
    {
      threadId: undefined,
      scope: ownersOf(thread),
      recordTypes: MEMORY_TYPES,
      metadataFilter: null,
      maxResults,
      query: await createStoreQuery(context, joinNewest(context, retrievalMessages)),
      minimums,
    },
    { signal: context.signal },
  );
  return (hits ?? []).map(toSearchResult);
}

/** The newest messages; none for 0. */
function newest(messages: readonly StoredMessage[], count: number): readonly StoredMessage[] {
  return messages.slice(Math.max(0, messages.length - count));
}

/**
 * A prompt-ready block about a thread: topics, summary, relevant memories, recent messages (contract §9). Two round
 * trips, one query embedding, one model call when there is a model; when it fails the card is made without.
 * Errors: `not_found`.
 */
export async function getContextCard(
  context: MemoryContext,
  threadId: string,
  request: ContextCardRequest,
): Promise<ContextCard> {
  const { fallbackMessageCount = DEFAULT_COUNT, maxRecentMessages = DEFAULT_COUNT } = request;
  const overviewMessages = context.llm === undefined ? 0 : OVERVIEW_MESSAGES;
  const read = await context.store.readThreadContext(
    threadId,
    Math.max(fallbackMessageCount, maxRecentMessages, overviewMessages),
    { signal: context.signal },
  );
  const threadContext = requireFound(read, 'thread', threadId);
  const fallbackMessages = newest(threadContext.recentMessages, fallbackMessageCount);
  const [relevantResults, overview] = await Promise.all([
    findRelevant(context, threadContext.thread, fallbackMessages, request),
    askForOverview(context, threadContext),
  ]);
  return createContextCard({
    ...(overview ?? createPlainOverview(threadContext, fallbackMessages)),
    relevantResults,
    recentMessages: newest(threadContext.recentMessages, maxRecentMessages).map(toMessage),
  });
}
