import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import type { AddMessagesRequest, NewMessage } from '../schemas/message.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import type { NewMessageRow } from '../store/messages/stored-message.ts';

export type MessageRowWithoutChunks = Omit<NewMessageRow, 'chunks'>;

function isList<Value>(value: Value | readonly Value[] | undefined): value is readonly Value[] {
  return Array.isArray(value);
}

/** A single value holds for every message; a list must align one to one (contract §4.3). */
function alignWithMessages<Value>(
  field: string,
  value: Value | readonly Value[] | undefined,
  count: number,
): (index: number) => Value | undefined {
  if (!isList(value)) return () => value;
  if (value.length !== count) {
    throw invalidRequest(field, `has ${value.length} entries for ${count} messages`);
  }
  return (index) => value[index];
}

/** Metadata of the batch and of the message itself; the message's own keys win. */
function mergeMetadata(batch: JsonObject | null | undefined, own: JsonObject | null | undefined): JsonObject {
  if (batch === undefined || batch === null) return own ?? {};
  return own === undefined || own === null ? batch : { ...batch, ...own };
}

function assertDistinctIds(messages: readonly NewMessage[]): void {
  const seen = new Set<string>();
  for (const { id } of messages) {
    if (id === undefined) continue;
    if (seen.has(id)) {
      throw new AgentMemoryError('conflict', `A message with the id ${JSON.stringify(id)} already exists.`);
    }
    seen.add(id);
  }
}

/**
 * The rows that a request asks for, before they are chunked. Errors: `invalid_request` naming a list that does not
 * align or a timestamp that the anchor needs, `conflict` for an id given twice (contract §4.3, D7).
 */
export function createMessageRows(
  request: AddMessagesRequest,
  newId: () => string,
): readonly MessageRowWithoutChunks[] {
  const { messages } = request;
  const metadataAt = alignWithMessages<JsonObject | null>('metadata', request.metadata, messages.length);
  const ttlDaysAt = alignWithMessages('ttlDays', request.ttlDays, messages.length);
  const ttlAnchorAt = alignWithMessages('ttlAnchor', request.ttlAnchor, messages.length);
  assertDistinctIds(messages);
  return messages.map((message, index) => {
    const ttlAnchor = ttlAnchorAt(index) ?? 'created_at';
    if (ttlAnchor === 'timestamp' && message.timestamp === undefined) {
      throw invalidRequest(`messages[${index}].timestamp`, 'is needed when ttlAnchor is "timestamp"');
    }
    return {
      id: message.id ?? newId(),
      role: message.role,
      content: message.content,
      timestamp: message.timestamp ?? null,
      metadata: mergeMetadata(metadataAt(index), message.metadata),
      ttlDays: ttlDaysAt(index),
      ttlAnchor,
    };
  });
}
