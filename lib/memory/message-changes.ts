import type { UpdateMessageRequest, UpdateMessageResponse } from '../schemas/message.ts';
import { createJobStart, settleExtraction } from './extraction/settle-extraction.ts';
import type { MemoryContext } from './memory-context.ts';
import { notFound } from './not-found.ts';
import { changedContent, changedLifetime, changedMetadata } from './record-change.ts';
import { ttlWarnings } from './ttl-warnings.ts';

/**
 * Changes a message of exactly this thread (contract §4.5): metadata is replaced whole, null clears it; new content is
 * indexed anew and, with extraction on, mined together with the messages before it. Role and timestamp stay, memories
 * of the old content too. Content that is the same as the stored one, or a request without a field, changes nothing.
 * An anchor alone counts the default days. One round trip, and two more for inline extraction; an embedding pass when
 * content is given. In the background one round trip and a message to the queue. Errors: `not_found`, `invalid_request`;
 * `extraction_queue_full` with the id of the stored message (contract §8.3).
 */
export async function updateMessage(
  context: MemoryContext,
  threadId: string,
  messageId: string,
  request: UpdateMessageRequest,
): Promise<UpdateMessageResponse> {
  const { content: text, ttlDays } = request;
  const change = {
    content: await changedContent(context, text),
    metadata: changedMetadata(request.metadata),
    lifetime: changedLifetime(request),
  };
  const start = createJobStart(context);
  const edit = { ...start, threadId, messageId, change };
  const outcome = await context.store.editMessage(edit, { signal: context.signal });
  if (outcome === undefined) throw notFound('message', messageId);
  const stored = { threadId, ids: [messageId] };
  const known = text === undefined ? undefined : { threadId, contents: [text] };
  return {
    id: messageId,
    extraction: await settleExtraction(context, outcome, start, stored, known),
    ...ttlWarnings(context.store.retention, [ttlDays]),
  };
}

/**
 * Deletes a message of exactly this thread with its retrieval rows; memories made of it stay (contract §4.4, D3). 0 when
 * there was none. One round trip.
 */
export function deleteMessage(context: MemoryContext, threadId: string, messageId: string): Promise<number> {
  return context.store.deleteRecord('message', messageId, { threadId, signal: context.signal });
}
