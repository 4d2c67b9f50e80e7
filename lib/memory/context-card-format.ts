import type { ContextCard } from '../schemas/context-card.ts';
import { formatRecordLines } from './record-format.ts';
import { escapeXml, xmlBlock, xmlLine } from './xml.ts';

/** What a context card is made of. */
export type ContextCardParts = Pick<ContextCard, 'summary' | 'topics' | 'relevantResults' | 'recentMessages'>;

const CHILD = '  ';
const GRANDCHILD = '    ';

function isEmpty({ summary, topics, relevantResults, recentMessages }: ContextCardParts): boolean {
  return summary === '' && topics.length === 0 && relevantResults.length === 0 && recentMessages.length === 0;
}

/**
 * A context card as XML text: topics, summary, relevant information, recent messages; '' for an empty card
 * (contract §9.2). All text is escaped, so the result is well-formed whatever the content.
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
    ...xmlBlock(CHILD, 'summary', summary === '' ? [] : [`${GRANDCHILD}${escapeXml(summary)}`]),
    ...xmlBlock(
      CHILD,
      'relevant_information',
      relevantResults.flatMap(({ recordType, timestamp, content, record }) =>
        formatRecordLines({ recordType, timestamp, role: record.role, content }, GRANDCHILD),
      ),
    ),
    ...xmlBlock(
      CHILD,
      'recent_messages',
      recentMessages.flatMap((message) =>
        formatRecordLines({ recordType: 'message', ...message }, GRANDCHILD),
      ),
    ),
  ];
  return xmlBlock('', 'context_card', lines).join('\n');
}

/** A context card as a value; `content` and `formattedContent` are its XML text (contract §9.2). */
export function createContextCard(parts: ContextCardParts): ContextCard {
  const content = renderContextCard(parts);
  return { content, formattedContent: content, ...parts };
}
