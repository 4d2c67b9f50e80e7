import type { Tokenizer } from '../../models/tokenizer.ts';
import type { MemoryRecord } from '../../schemas/record.ts';
import type { StoredMessage } from '../../store/messages/stored-message.ts';
import {
  messageLine,
  type PromptSections,
  pastMemoryLine,
  renderSections,
  summaryLine,
} from './prompt-sections.ts';

/** Limits of one prompt in tokens; 0 or less is unbounded. */
export interface PromptLimits {
  readonly promptTokens: number;
  readonly messageTokens: number;
}

/** Past memories and summary may each take this part of the budget; the rest is for messages. */
const SIDE_SHARE = 4;
/** The newest message keeps some text however small the budget is. */
const LEAST_MESSAGE_TOKENS = 32;

/** Characters that a token has at most in ordinary text; a longer text is not tokenized to its end. */
const CHARACTERS_PER_TOKEN = 8;
/** Tokens that a character has at most: its bytes in UTF-8. */
const TOKENS_PER_CHARACTER = 4;

/** Whether a text has more tokens than the limit, or is so long that it is taken to have; never for 0 or less. */
export function isLongerThan(tokenizer: Tokenizer, text: string, maxTokens: number): boolean {
  if (maxTokens <= 0 || text.length * TOKENS_PER_CHARACTER <= maxTokens) return false;
  return text.length > maxTokens * CHARACTERS_PER_TOKEN || tokenizer.count(text) > maxTokens;
}

/** The beginning of a text, at most so many tokens long; all of it for 0 or less. */
export function truncateText(tokenizer: Tokenizer, text: string, maxTokens: number): string {
  if (maxTokens <= 0 || text.length * TOKENS_PER_CHARACTER <= maxTokens) return text;
  const beginning = text.slice(0, maxTokens * CHARACTERS_PER_TOKEN).toWellFormed();
  return tokenizer.split(beginning, { maxTokens, overlapTokens: 0 })[0] ?? text;
}

/** The end of a text, at most so many tokens long. */
function takeEnd(tokenizer: Tokenizer, text: string, maxTokens: number): string {
  let end = text.slice(-maxTokens * CHARACTERS_PER_TOKEN);
  while (tokenizer.count(end) > maxTokens) end = end.slice(Math.ceil(end.length / 4));
  return end.toWellFormed();
}

/** Stands between the parts of an excerpt. */
const GAP = ' […] ';
const GAP_TOKENS = 4;

/**
 * Beginning and end of a text, two thirds and one, at most so many tokens long together; all of it for 0 or less. What
 * somebody says about a long quotation often stands after it.
 */
export function excerptText(tokenizer: Tokenizer, text: string, maxTokens: number): string {
  if (!isLongerThan(tokenizer, text, maxTokens)) return text;
  const endTokens = Math.floor(maxTokens / 3);
  const beginningTokens = maxTokens - endTokens - GAP_TOKENS;
  if (beginningTokens <= 0 || endTokens === 0) return truncateText(tokenizer, text, maxTokens);
  const beginning = truncateText(tokenizer, text, beginningTokens);
  return `${beginning.trimEnd()}${GAP}${takeEnd(tokenizer, text, endTokens).trimStart()}`;
}

function takePastMemories(
  tokenizer: Tokenizer,
  memories: readonly MemoryRecord[],
  room: number,
): readonly MemoryRecord[] {
  let used = 0;
  return memories.filter((memory) => {
    used += tokenizer.count(pastMemoryLine(memory)) + 1;
    return used <= room;
  });
}

/**
 * The beginning of a text whose line has at most so many tokens, one character at least. Escaping may lengthen what a cut
 * left: one token of angle brackets is hundreds of characters in JSON.
 */
function cutToLine(
  tokenizer: Tokenizer,
  text: string,
  maxTokens: number,
  toLine: (text: string) => string,
): string {
  const countLine = (content: string) => tokenizer.count(toLine(content)) + 1;
  const frame = countLine('');
  const room = Math.max(maxTokens - frame, 1);
  let cut = truncateText(tokenizer, text, room);
  for (let used = countLine(cut) - frame; used > room && cut.length > 1; used = countLine(cut) - frame) {
    const shorter = cut.slice(
      0,
      Math.max(1, Math.min(cut.length - 1, Math.floor((cut.length * room) / used))),
    );
    cut = shorter.isWellFormed() || shorter.length === 1 ? shorter : shorter.slice(0, -1);
  }
  return cut.toWellFormed();
}

function shrinkMessage(tokenizer: Tokenizer, message: StoredMessage, room: number): StoredMessage {
  const maxTokens = Math.max(room, LEAST_MESSAGE_TOKENS);
  const toLine = (content: string) => messageLine({ ...message, content });
  return { ...message, content: cutToLine(tokenizer, message.content, maxTokens, toLine) };
}

/** Newest messages that fit, in their order; the oldest go first, the newest is cut rather than dropped. */
function takeNewestMessages(
  tokenizer: Tokenizer,
  messages: readonly StoredMessage[],
  room: number,
  shorten: (message: StoredMessage) => StoredMessage,
): readonly StoredMessage[] {
  const taken: StoredMessage[] = [];
  let left = room;
  for (const original of messages.toReversed()) {
    const message = shorten(original);
    const tokens = tokenizer.count(messageLine(message)) + 1;
    if (tokens > left && taken.length > 0) break;
    taken.push(tokens > left ? shrinkMessage(tokenizer, message, left) : message);
    left -= tokens;
  }
  return taken.reverse();
}

/**
 * Cuts what a model reads to the limits, which hold beside the fixed instructions (contract §8.1, §4.1): each message to its own
 * limit, then the oldest messages go. Stored text never changes.
 */
export function fitSections(
  tokenizer: Tokenizer,
  sections: PromptSections,
  limits: PromptLimits,
): PromptSections {
  const shorten = (message: StoredMessage): StoredMessage => ({
    ...message,
    content: truncateText(tokenizer, message.content, limits.messageTokens),
  });
  if (limits.promptTokens <= 0) return { ...sections, messages: sections.messages.map(shorten) };
  const share = Math.floor(limits.promptTokens / SIDE_SHARE);
  const pastMemories = takePastMemories(tokenizer, sections.pastMemories, share);
  const summary =
    sections.summary === null || share === 0
      ? null
      : cutToLine(tokenizer, sections.summary, share, summaryLine);
  const beside = renderSections({ pastMemories, summary, messages: [] });
  const room = limits.promptTokens - tokenizer.count(beside);
  return { pastMemories, summary, messages: takeNewestMessages(tokenizer, sections.messages, room, shorten) };
}
