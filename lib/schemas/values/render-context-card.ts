import type { ContextCardObject } from '../context-card.ts';
import type { Message } from '../message.ts';
import type { SearchResult } from '../search.ts';
import { formatRecordLines } from './record-format.ts';
import { cutToEscapedLength, escapeXml, xmlBlock, xmlLine } from './xml.ts';

/** What a context card is made of. */
export type ContextCardParts = Pick<
  ContextCardObject,
  'summary' | 'topics' | 'relevantResults' | 'recentMessages'
>;

const CHILD = '  ';
const GRANDCHILD = '    ';

/** Characters of XML text that one memory takes in a card; a longer one is cut with an ellipsis. */
const CARD_MEMORY_CHARACTERS = 2_000;
/** Characters of XML text that one message takes in a card. */
const CARD_MESSAGE_CHARACTERS = 8_000;
/** Characters of XML text that the summary takes in a card. */
const CARD_SUMMARY_CHARACTERS = 20_000;

/** One relevant record as lines of a card. */
export function resultLines({ recordType, timestamp, content, record }: SearchResult): readonly string[] {
  const shown = cutToEscapedLength(content, CARD_MEMORY_CHARACTERS);
  return formatRecordLines({ recordType, timestamp, role: record.role, content: shown }, GRANDCHILD);
}

/** One recent message as lines of a card. */
export function messageLines(message: Message): readonly string[] {
  const content = cutToEscapedLength(message.content, CARD_MESSAGE_CHARACTERS);
  return formatRecordLines({ recordType: 'message', ...message, content }, GRANDCHILD);
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
 * whatever stands beside it, so that a card changes only where its contents do.
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
