import type { UpdateMessageRequest, UpdateMessageResponse } from '../schemas/message.ts';
import type { RecordChange } from '../store/stored-record.ts';
import { createJobStart, settleExtraction } from './extraction/settle-extraction.ts';
import type { MemoryContext } from './memory-context.ts';
import { notFound } from './not-found.ts';
import { changedMetadata } from './record-change.ts';
import { createRetrievalRows } from './retrieval-rows.ts';
import { ttlWarnings } from './ttl-warnings.ts';

const NO_EXTRACTION = { status: 'none', jobId: null } as const;

/** What a request changes beside the content. An anchor alone counts the default days (contract §4.5). */
function toRecordChange({ metadata, ttlDays, ttlAnchor }: UpdateMessageRequest): RecordChange {
  const keepsExpiry = ttlDays === undefined && ttlAnchor === undefined;
  return {
    metadata: changedMetadata(metadata),
    lifetime: keepsExpiry ? undefined : { ttlDays, ttlAnchor: ttlAnchor ?? 'created_at' },
  };
}

/** The stored content of a message of exactly this thread. Errors: `not_found`, also for one that has expired. */
async function readContent(context: MemoryContext, threadId: string, messageId: string): Promise<string> {
  const record = await context.store.getRecord('message', messageId, { signal: context.signal });
  if (record === undefined || record.threadId !== threadId) throw notFound('message', messageId);
  return record.content ?? '';
}

/** Changes what is not content. */
async function changeFields(
  context: MemoryContext,
  threadId: string,
  messageId: string,
  change: RecordChange,
): Promise<UpdateMessageResponse> {
  const options = { threadId, signal: context.signal };
  const isFound = await context.store.updateRecord('message', messageId, change, options);
  if (!isFound) throw notFound('message', messageId);
  return { id: messageId, extraction: NO_EXTRACTION };
}

/** Chunks and embeds the new content, writes it, then extracts from it. */
async function changeContent(
  context: MemoryContext,
  threadId: string,
  messageId: string,
  text: string,
  change: RecordChange,
): Promise<UpdateMessageResponse> {
  const [chunks = []] = await createRetrievalRows(context, [text]);
  const start = createJobStart(context);
  const outcome = await context.store.editMessage(
    { ...start, threadId, messageId, change: { ...change, content: { text, chunks } } },
    { signal: context.signal },
  );
  if (outcome === undefined) throw notFound('message', messageId);
  return { id: messageId, extraction: await settleExtraction(context, outcome, start) };
}

/**
 * Changes a message of exactly this thread (contract §4.5): metadata is replaced whole, null clears it; new content is
 * indexed anew and, with extraction on, mined together with the messages before it. Role and timestamp stay, memories
 * of the old content too. Content that is the same as the stored one, or a request without a field, changes nothing.
 * One round trip for metadata and time to live, two with content, and three more for inline extraction. Errors:
 * `not_found`, `invalid_request`.
 */
export async function updateMessage(
  context: MemoryContext,
  threadId: string,
  messageId: string,
  request: UpdateMessageRequest,
): Promise<UpdateMessageResponse> {
  const { content: text } = request;
  const change = toRecordChange(request);
  const changesFields = change.metadata !== undefined || change.lifetime !== undefined;
  const warnings = ttlWarnings(context.store.retention, [request.ttlDays]);
  if (text !== undefined || !changesFields) {
    const stored = await readContent(context, threadId, messageId);
    if (text !== undefined && text !== stored) {
      const answer = await changeContent(context, threadId, messageId, text, change);
      return { ...answer, ...warnings };
    }
  }
  if (!changesFields) return { id: messageId, extraction: NO_EXTRACTION };
  return { ...(await changeFields(context, threadId, messageId, change)), ...warnings };
}

/**
 * Deletes a message of exactly this thread with its retrieval rows; memories made of it stay (contract §4.4, D3). 0 when
 * there was none. One round trip.
 */
export function deleteMessage(context: MemoryContext, threadId: string, messageId: string): Promise<number> {
  return context.store.deleteRecord('message', messageId, { threadId, signal: context.signal });
}
