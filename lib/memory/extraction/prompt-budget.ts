import type { Tokenizer } from '../../models/tokenizer.ts';
import type { MemoryRecord } from '../../schemas/record.ts';
import type { StoredMessage } from '../../store/memory-store.ts';
import { messageLine, type PromptSections, pastMemoryLine, renderSections } from './prompt-sections.ts';

/** Limits of one prompt in tokens; 0 or less is unbounded. */
export interface PromptLimits {
  readonly promptTokens: number;
  readonly messageTokens: number;
}

/** Past memories and summary may each take this part of the budget; the rest is for messages. */
const SIDE_SHARE = 4;
/** The newest message keeps some text however small the budget is. */
const LEAST_MESSAGE_TOKENS = 32;

/** The beginning of a text, at most so many tokens long. */
export function truncateText(tokenizer: Tokenizer, text: string, maxTokens: number): string {
  if (maxTokens <= 0 || text.length <= maxTokens / 4) return text;
  return tokenizer.split(text, { maxTokens, overlapTokens: 0 })[0] ?? text;
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

/** Cuts a message until its line fits; escaping may lengthen what the cut left. */
function shrinkMessage(tokenizer: Tokenizer, message: StoredMessage, room: number): StoredMessage {
  let target = Math.max(room, LEAST_MESSAGE_TOKENS);
  const frame = tokenizer.count(messageLine({ ...message, content: '' })) + 1;
  let shortened = message;
  do {
    const content = truncateText(tokenizer, message.content, Math.max(target - frame, 1));
    shortened = { ...message, content };
    target = Math.floor(target / 2);
  } while (target > 1 && tokenizer.count(messageLine(shortened)) + 1 > Math.max(room, LEAST_MESSAGE_TOKENS));
  return shortened;
}

/** Newest messages that fit, in their order; the oldest go first, the newest is cut rather than dropped. */
function takeNewestMessages(
  tokenizer: Tokenizer,
  messages: readonly StoredMessage[],
  room: number,
): readonly StoredMessage[] {
  const taken: StoredMessage[] = [];
  let left = room;
  for (const message of messages.toReversed()) {
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
  const messages = sections.messages.map((message) => ({
    ...message,
    content: truncateText(tokenizer, message.content, limits.messageTokens),
  }));
  if (limits.promptTokens <= 0) return { ...sections, messages };
  const share = Math.floor(limits.promptTokens / SIDE_SHARE);
  const pastMemories = takePastMemories(tokenizer, sections.pastMemories, share);
  const summary = sections.summary === null ? null : truncateText(tokenizer, sections.summary, share);
  const beside = renderSections({ pastMemories, summary, messages: [] });
  const room = limits.promptTokens - tokenizer.count(beside);
  return { pastMemories, summary, messages: takeNewestMessages(tokenizer, messages, room) };
}
