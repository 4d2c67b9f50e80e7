import type { ContextCard } from '../schemas/context-card.ts';
import type { Message } from '../schemas/message.ts';
import type { SearchResult } from '../schemas/search.ts';
import { createAnswerRoom, jsonBytes } from './answer-size.ts';
import { formatRecordLines } from './record-format.ts';
import { cutToEscapedLength, escapeXml, xmlBlock, xmlLine } from './xml.ts';

/** What a context card is made of. */
export type ContextCardParts = Pick<ContextCard, 'summary' | 'topics' | 'relevantResults' | 'recentMessages'>;

const CHILD = '  ';
const GRANDCHILD = '    ';

/** How often an answer holds the XML text: as `content` and as `formattedContent`. */
const TEXT_COPIES = 2;

/** Characters of XML text that one memory takes in a card; a longer one is cut with an ellipsis. */
const CARD_MEMORY_CHARACTERS = 2_000;
/** Characters of XML text that one message takes in a card. */
const CARD_MESSAGE_CHARACTERS = 8_000;
/** Characters of XML text that the summary takes in a card. */
const CARD_SUMMARY_CHARACTERS = 20_000;
/** Characters that memories and messages take together; what does not fit is left out. */
const CARD_ITEM_CHARACTERS = 175_000;
/** No card is longer, whatever the texts and the counts asked for. */
export const CARD_CHARACTERS = 200_000;

function resultLines({ recordType, timestamp, content, record }: SearchResult): readonly string[] {
  const shown = cutToEscapedLength(content, CARD_MEMORY_CHARACTERS);
  return formatRecordLines({ recordType, timestamp, role: record.role, content: shown }, GRANDCHILD);
}

function messageLines(message: Message): readonly string[] {
  const content = cutToEscapedLength(message.content, CARD_MESSAGE_CHARACTERS);
  return formatRecordLines({ recordType: 'message', ...message, content }, GRANDCHILD);
}

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

function summaryLine(summary: string): string {
  return `${GRANDCHILD}${escapeXml(cutToEscapedLength(summary, CARD_SUMMARY_CHARACTERS))}`;
}

function isEmpty({ summary, topics, relevantResults, recentMessages }: ContextCardParts): boolean {
  return summary === '' && topics.length === 0 && relevantResults.length === 0 && recentMessages.length === 0;
}

/**
 * A context card as XML text: topics, summary, relevant information, recent messages; '' for an empty card
 * (contract §9.2). All text is escaped, so the result is well-formed whatever the content. A text has the same length
 * whatever stands beside it, so that a card changes only where its contents do; `CARD_CHARACTERS` bounds the whole.
 */
export function renderContextCard(parts: ContextCardParts): string {
  if (isEmpty(parts)) return '';
  const { summary, topics, relevantResults, recentMessages } = parts;
  const lines = [
    ...xmlBlock(
      CHILD,
      'topics',
      topics.map((topic) => xmlLine(GRANDCHILD, 'topic', topic)),
    ),
    ...xmlBlock(CHILD, 'summary', summary === '' ? [] : [summaryLine(summary)]),
    ...xmlBlock(CHILD, 'relevant_information', relevantResults.flatMap(resultLines)),
    ...xmlBlock(CHILD, 'recent_messages', recentMessages.flatMap(messageLines)),
  ];
  return xmlBlock('', 'context_card', lines).join('\n');
}

/**
 * A context card as a value, as much of it as one answer holds; `content` and `formattedContent` are its XML text
 * (contract §9.2).
 */
export function createContextCard(parts: ContextCardParts): ContextCard {
  const fitting = fitContextCard(parts);
  const content = renderContextCard(fitting);
  return { content, formattedContent: content, ...fitting };
}
