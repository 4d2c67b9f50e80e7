import type { SummaryRequest } from '../schemas/context-card.ts';
import { Summary } from '../schemas/values/summary.ts';
import { codePointLength } from '../schemas/well-formed.ts';
import type { StoredMessage } from '../store/messages/stored-message.ts';
import { ANSWER_BYTES, cutToAnswer } from './answer-size.ts';
import type { MemoryContext } from './memory-context.ts';
import { readMessagePages } from './message-pages.ts';
import { formatTranscript } from './transcript.ts';

/** Token budget of a summary that does not say (contract D9). */
export const DEFAULT_SUMMARY_TOKENS = 2_000;
/** The estimate behind budgets (contract §9.3). */
const CHARACTERS_PER_TOKEN = 3.5;
/** How often an answer holds the text: as `content` and as `formattedContent`. */
const TEXT_COPIES = 2;
/** Messages of one read at most; with the default budget one read is enough. */
const PAGE_SIZE = 1_000;
/** Characters that a message takes in a summary at least: `a: b` and a line break. */
const SHORTEST_LINE = 5;

/**
 * Characters that a budget allows, in code points. A budget of 0 or less is unbounded (contract §4.6): then what one
 * answer can hold is the bound.
 */
function characterLimit(tokenBudget: number): number {
  const longest = Math.floor(ANSWER_BYTES / TEXT_COPIES);
  return tokenBudget <= 0 ? longest : Math.min(longest, Math.floor(tokenBudget * CHARACTERS_PER_TOKEN));
}

/** The first characters of a text; never half of a surrogate pair. */
function truncateCharacters(text: string, limit: number): string {
  if (text.length <= limit) return text;
  let end = 0;
  let count = 0;
  for (const character of text) {
    if (count === limit) break;
    end += character.length;
    count += 1;
  }
  return text.slice(0, end);
}

/** A summary as a value: its content is its formatted and its string form (contract §9.3). */
export function createSummary(messages: readonly Utterance[], tokenBudget: number): Summary {
  const budgeted = truncateCharacters(formatTranscript(messages), characterLimit(tokenBudget));
  const content = cutToAnswer(budgeted, TEXT_COPIES);
  return new Summary({ content });
}

/** What a summary takes of a message; the rest is not kept while a long thread is read. */
type Utterance = Pick<StoredMessage, 'role' | 'content'>;

/** Reads messages from the beginning until they fill the limit or reach the newest `exceptLast`. */
async function readForSummary(
  context: MemoryContext,
  threadId: string,
  exceptLast: number,
  limit: number,
): Promise<readonly Utterance[]> {
  const messages: Utterance[] = [];
  let length = 0;
  const pageSize = () => Math.min(PAGE_SIZE, Math.max(1, Math.ceil((limit - length) / SHORTEST_LINE)));
  const first = { after: 0, limit: pageSize() };
  for await (const page of readMessagePages(context, threadId, first, pageSize)) {
    const wanted = Math.max(0, page.total - exceptLast - page.firstIndex);
    const taken = page.messages.slice(0, wanted).map(({ role, content }) => ({ role, content }));
    messages.push(...taken);
    length += codePointLength(formatTranscript(taken));
    if (taken.length === wanted || length >= limit) break;
  }
  return messages;
}

/**
 * A compression of the thread's messages alone, without a language model: who said what, cut to
 * `floor(tokenBudget × 3.5)` characters when longer (contract §4.6, §9.3), and to what an answer of 5 MiB holds. It is made
 * of the messages each time and never of the running summary, so a deleted or edited message is gone from it at once. One
 * round trip for each 1,000 messages that the budget can hold. Errors: `not_found`.
 */
export async function getSummary(
  context: MemoryContext,
  threadId: string,
  request: SummaryRequest,
): Promise<Summary> {
  const { exceptLast = 0, tokenBudget = DEFAULT_SUMMARY_TOKENS } = request;
  const messages = await readForSummary(context, threadId, exceptLast, characterLimit(tokenBudget));
  return createSummary(messages, tokenBudget);
}
