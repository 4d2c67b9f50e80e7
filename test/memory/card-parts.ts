import type { Message } from '../../lib/schemas/message.ts';
import type { RecordType } from '../../lib/schemas/record.ts';
import type { SearchResult } from '../../lib/schemas/search.ts';
import type { ContextCardParts } from '../../lib/schemas/values/render-context-card.ts';

const timestamp = '2026-01-01T00:00:00.000Z';

export function messageOf(role: string, content: string): Message {
  return { id: 'm', role, content, timestamp, metadata: {} };
}

export function resultOf(recordType: RecordType, content: string): SearchResult {
  const record = {
    id: 'r',
    recordType,
    content,
    metadata: {},
    timestamp,
    createdAt: timestamp,
    updatedAt: timestamp,
    expiresAt: null,
    userId: 'u',
    agentId: 'a',
    threadId: 't',
    role: 'user',
    status: 'active' as const,
  };
  return {
    id: 'r',
    recordType,
    content,
    formattedContent: '',
    distance: 0.2,
    timestamp,
    metadata: {},
    record,
  };
}

/** A card with something in every part. */
export function cardParts(): ContextCardParts {
  return {
    summary: 'Ana plans a trip.',
    topics: ['travel', 'food & wine'],
    relevantResults: [resultOf('preference', 'Ana likes <tea>'), resultOf('fact', 'Ana lives in Lisbon')],
    recentMessages: [messageOf('user', 'Where to?'), messageOf('assistant', 'Porto.')],
  };
}
