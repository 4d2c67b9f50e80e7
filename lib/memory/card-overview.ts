import type { ThreadContext } from '../store/extraction/extraction-outcome.ts';
import type { StoredMessage } from '../store/messages/stored-message.ts';
import type { JsonRecord } from './extraction/lenient-json.ts';
import { fitSections } from './extraction/prompt-budget.ts';
import { renderSections } from './extraction/prompt-sections.ts';
import { CONTEXT_CARD_INSTRUCTIONS } from './extraction/prompts.ts';
import { CONTEXT_CARD_SCHEMA } from './extraction/response-schemas.ts';
import { currentSummary } from './extraction/running-summary.ts';
import { createStructuredModel } from './extraction/structured-model.ts';
import { isSummaryAnswer, readSummary } from './extraction/summary-answer.ts';
import { findFrequentTerms } from './frequent-terms.ts';
import type { MemoryContext } from './memory-context.ts';
import { createSummary, DEFAULT_SUMMARY_TOKENS } from './summary.ts';

/** Summary and topics of a context card. */
export interface CardOverview {
  readonly summary: string;
  readonly topics: string[];
}

const TOPIC_COUNT = 5;
const TOPIC_LENGTH = 60;
/** Characters of a message that are looked at for frequent terms. */
const TOPIC_SOURCE_LENGTH = 4_000;

function readTopics({ topics }: JsonRecord): string[] {
  const texts = Array.isArray(topics) ? topics.filter((topic) => typeof topic === 'string') : [];
  const cleaned = texts
    .map((topic) => topic.toWellFormed().replace(/\s+/gu, ' ').trim().toLowerCase())
    .filter((topic) => topic !== '' && topic.length <= TOPIC_LENGTH);
  return [...new Set(cleaned)].slice(0, TOPIC_COUNT);
}

/** Without a language model: the running summary or else the newest messages, and their most frequent terms. */
export function createPlainOverview(
  context: Pick<ThreadContext, 'thread'>,
  messages: readonly StoredMessage[],
): CardOverview {
  const transcript = createSummary(messages, DEFAULT_SUMMARY_TOKENS).content;
  const running = currentSummary(context);
  const contents = messages.map(({ content }) => content.slice(0, TOPIC_SOURCE_LENGTH));
  const terms = findFrequentTerms([...contents, running ?? ''].join('\n'), TOPIC_COUNT);
  return { summary: running ?? transcript, topics: [...terms] };
}

/**
 * Summary and topics by one model call within the thread's `contextCardTokenLimit` (contract §9.1). Undefined without a
 * model, when it fails and when it has nothing to say: a card is supporting context, and the plain overview serves it.
 */
export async function askForOverview(
  context: MemoryContext,
  { thread, recentMessages }: ThreadContext,
): Promise<CardOverview | undefined> {
  const summary = currentSummary({ thread });
  if (context.llm === undefined || (recentMessages.length === 0 && summary === null)) return undefined;
  const limits = {
    promptTokens: thread.config.contextCardTokenLimit,
    messageTokens: thread.config.maxMessageTokenLength,
  };
  const read = { pastMemories: [], summary, messages: recentMessages };
  const sections = fitSections(context.tokenizer, read, limits);
  try {
    const answer = await createStructuredModel(context.llm, context.signal).callForObject({
      purpose: 'context_card',
      messages: [
        { role: 'system', content: CONTEXT_CARD_INSTRUCTIONS },
        { role: 'user', content: renderSections(sections) },
      ],
      responseJsonSchema: CONTEXT_CARD_SCHEMA,
      isMeant: isSummaryAnswer,
    });
    const overview = { summary: readSummary(answer), topics: readTopics(answer) };
    return overview.summary === '' ? undefined : overview;
  } catch (error) {
    context.reportFailure?.('context_card_overview', error);
    return undefined;
  }
}
