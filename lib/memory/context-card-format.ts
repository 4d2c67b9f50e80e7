import type { ContextCard } from '../schemas/context-card.ts';
import type { Message } from '../schemas/message.ts';
import type { SearchResult } from '../schemas/search.ts';
import { createAnswerRoom, jsonBytes } from './answer-size.ts';
import { formatRecordLines } from './record-format.ts';
import { escapeXml, xmlBlock, xmlLine } from './xml.ts';

/** What a context card is made of. */
export type ContextCardParts = Pick<ContextCard, 'summary' | 'topics' | 'relevantResults' | 'recentMessages'>;

const CHILD = '  ';
const GRANDCHILD = '    ';

/** How often an answer holds the XML text: as `content` and as `formattedContent`. */
const TEXT_COPIES = 2;

function resultLines({ recordType, timestamp, content, record }: SearchResult): readonly string[] {
  return formatRecordLines({ recordType, timestamp, role: record.role, content }, GRANDCHILD);
}

function messageLines(message: Message): readonly string[] {
  return formatRecordLines({ recordType: 'message', ...message }, GRANDCHILD);
}

/**
 * Keeps what one answer holds: the newest messages and the best results, taken in turns. Counts are upper bounds
 * (HTTP API contract, Conventions: no answer exceeds 5 MiB).
 */
export function fitContextCard(parts: ContextCardParts): ContextCardParts {
  const room = createAnswerRoom();
  const { summary, topics } = parts;
  room.take(
    jsonBytes([summary, topics]) + TEXT_COPIES * jsonBytes(escapeXml([summary, ...topics].join(' '))),
  );
  const fits = (item: unknown, lines: readonly string[]): boolean =>
    room.take(jsonBytes(item) + TEXT_COPIES * jsonBytes(lines.join('\n')));
  const newestFirst = parts.recentMessages.toReversed();
  const messages: Message[] = [];
  const results: SearchResult[] = [];
  for (let turn = 0; turn < Math.max(newestFirst.length, parts.relevantResults.length); turn += 1) {
    const message = newestFirst[turn];
    if (message !== undefined && messages.length === turn && fits(message, messageLines(message))) {
      messages.push(message);
    }
    const result = parts.relevantResults[turn];
    if (result !== undefined && results.length === turn && fits(result, resultLines(result))) {
      results.push(result);
    }
  }
  return { ...parts, relevantResults: results, recentMessages: messages.reverse() };
}

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
