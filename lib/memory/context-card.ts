import type { ContextCardRequest } from '../schemas/context-card.ts';
import { MEMORY_TYPES } from '../schemas/record.ts';
import type { SearchResult } from '../schemas/search.ts';
import type { ContextCard } from '../schemas/values/context-card.ts';
import type { StoredMessage } from '../store/messages/stored-message.ts';
import type { StoredThread } from '../store/threads/stored-thread.ts';
import { askForOverview, createPlainOverview } from './card-overview.ts';
import { withoutContextCards } from './extraction/context-card-echo.ts';
import { createContextCard } from './fit-context-card.ts';
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
/** Newest messages that a language model reads in place of a running summary that is stale. */
const MESSAGES_WHEN_STALE = 500;

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

/** What was said, without earlier cards that messages quote: a card is not made of cards. */
function leaveOutCards(messages: readonly StoredMessage[]): readonly StoredMessage[] {
  return messages
    .map((message) => ({ ...message, content: withoutContextCards(message.content) }))
    .filter(({ content }) => content !== '');
}

/** The newest messages; none for 0. */
function newest(messages: readonly StoredMessage[], count: number): readonly StoredMessage[] {
  return messages.slice(Math.max(0, messages.length - count));
}

/**
 * Puts the summary of a card in place of a running summary that a deletion or an edit has made stale (contract D3). The
 * card does not depend on it: a thread that has changed meanwhile keeps its stale summary for the next card.
 */
async function replaceStaleSummary(
  context: MemoryContext,
  thread: StoredThread,
  summary: string | undefined,
): Promise<void> {
  if (!thread.summaryStale || !thread.config.extraction.enableContextSummary || summary === undefined) return;
  const { threadId, messageCount: uptoSequence, updatedAt: threadUpdatedAt } = thread;
  try {
    await context.store.saveRebuiltSummary(
      { threadId, text: summary, uptoSequence, threadUpdatedAt },
      { signal: context.signal },
    );
  } catch (error) {
    context.reportFailure?.('stale_summary', error);
  }
}

/**
 * A prompt-ready block about a thread: topics, summary, relevant memories, recent messages (contract §9). Two round
 * trips and a third that replaces a stale running summary, one query embedding, one model call when there is a model;
 * when it fails the card is made without. No model is called while the database is. Errors: `not_found`.
 */
export async function getContextCard(
  context: MemoryContext,
  threadId: string,
  request: ContextCardRequest,
): Promise<ContextCard> {
  const { fallbackMessageCount = DEFAULT_COUNT, maxRecentMessages = DEFAULT_COUNT } = request;
  const [overviewMessages, messagesWhenStale] =
    context.llm === undefined ? [0, 0] : [OVERVIEW_MESSAGES, MESSAGES_WHEN_STALE];
  const read = await context.store.readThreadContext(
    threadId,
    Math.max(fallbackMessageCount, maxRecentMessages, overviewMessages),
    { signal: context.signal, messagesWhenStale },
  );
  const threadContext = requireFound(read, 'thread', threadId);
  const { thread, recentMessages } = threadContext;
  const spoken = leaveOutCards(recentMessages);
  const fallbackMessages = newest(spoken, fallbackMessageCount);
  const relevantResults = await findRelevant(context, thread, fallbackMessages, request);
  const overview = await askForOverview(context, { thread, recentMessages: spoken });
  await replaceStaleSummary(context, thread, overview?.summary);
  return createContextCard({
    ...(overview ?? createPlainOverview(threadContext, fallbackMessages)),
    relevantResults,
    recentMessages: newest(recentMessages, maxRecentMessages).map(toMessage),
  });
}
