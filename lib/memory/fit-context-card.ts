import type { Message } from '../schemas/message.ts';
import type { SearchResult } from '../schemas/search.ts';
import { ContextCard } from '../schemas/values/context-card.ts';
import { type ContextCardParts, messageLines, resultLines } from '../schemas/values/render-context-card.ts';
import { escapeXml } from '../schemas/values/xml.ts';
import { createAnswerRoom, jsonBytes } from './answer-size.ts';

/** How often an answer holds the XML text: as `content` and as `formattedContent`. */
const TEXT_COPIES = 2;

/** Characters that memories and messages take together; what does not fit is left out. */
const CARD_ITEM_CHARACTERS = 175_000;
/** No card is longer, whatever the texts and the counts asked for. */
export const CARD_CHARACTERS = 200_000;

/** What is left of a card and of the answer that it is part of. */
function createItemRoom({ summary, topics }: ContextCardParts): (item: unknown, xml: string) => boolean {
  const answer = createAnswerRoom();
  answer.take(
    jsonBytes([summary, topics]) + TEXT_COPIES * jsonBytes(escapeXml([summary, ...topics].join(' '))),
  );
  let characters = CARD_ITEM_CHARACTERS;
  return (item, xml) => {
    if (xml.length + 1 > characters || !answer.take(jsonBytes(item) + TEXT_COPIES * jsonBytes(xml)))
      return false;
    characters -= xml.length + 1;
    return true;
  };
}

/**
 * Keeps what one card holds, taken in turns: the newest messages without a gap, and the best results but for those that
 * are too large. Counts are upper bounds (HTTP API contract, Conventions: no answer exceeds 5 MiB).
 */
function fitContextCard(parts: ContextCardParts): ContextCardParts {
  const fits = createItemRoom(parts);
  const newestFirst = parts.recentMessages.toReversed();
  const messages: Message[] = [];
  const results: SearchResult[] = [];
  for (let turn = 0; turn < Math.max(newestFirst.length, parts.relevantResults.length); turn += 1) {
    const message = newestFirst[turn];
    if (
      message !== undefined &&
      messages.length === turn &&
      fits(message, messageLines(message).join('\n'))
    ) {
      messages.push(message);
    }
    const result = parts.relevantResults[turn];
    if (result !== undefined && fits(result, resultLines(result).join('\n'))) results.push(result);
  }
  return { ...parts, relevantResults: results, recentMessages: messages.reverse() };
}

/**
 * A context card as a value, as much of it as one answer holds; `content` and `formattedContent` are its XML text
 * (contract §9.2).
 */
export function createContextCard(parts: ContextCardParts): ContextCard {
  return new ContextCard(fitContextCard(parts));
}
