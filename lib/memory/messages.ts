import type {
  AddMessagesRequest,
  AddMessagesResponse,
  Message,
  MessagesResponse,
  MessageWindow,
} from '../schemas/message.ts';
import type { StoredMessage } from '../store/stored-message.ts';
import { takeWithinAnswer } from './answer-size.ts';
import { createJobStart, settleExtraction } from './extraction/settle-extraction.ts';
import type { MemoryContext } from './memory-context.ts';
import { createMessageRows } from './new-message-rows.ts';
import { requireFound } from './not-found.ts';
import { createRetrievalRows } from './retrieval-rows.ts';
import { ttlWarnings } from './ttl-warnings.ts';

/** Messages of a window that does not say where it ends (contract D9). */
export const DEFAULT_WINDOW = 100;
/** Messages that one answer reads at most; the caller goes on at `nextStart`. */
const LARGEST_WINDOW = 2_000;

/**
 * Stores messages, then extracts memories from what is due (contract §4.3, D1, D2). The messages stay whatever the
 * model does; `extraction` says what became of them. One embedding pass for the batch. One round trip without
 * extraction, four with it; in the background one and a message to the queue. Errors: `not_found`, `conflict`,
 * `invalid_request`; `extraction_queue_full` with the ids of the stored messages (contract §8.3).
 */
export async function addMessages(
  context: MemoryContext,
  threadId: string,
  request: AddMessagesRequest,
): Promise<AddMessagesResponse> {
  const rows = createMessageRows(request, context.newId);
  const chunks = await createRetrievalRows(
    context,
    rows.map((row) => row.content),
  );
  const start = createJobStart(context);
  const outcome = await context.store.appendMessages(
    {
      ...start,
      threadId,
      messages: rows.map((row, index) => ({ ...row, chunks: chunks[index] ?? [] })),
    },
    { signal: context.signal },
  );
  const ids = rows.map((row) => row.id);
  return {
    ids,
    extraction: await settleExtraction(context, outcome, start, { threadId, ids }),
    ...ttlWarnings(
      context.store.retention,
      rows.map((row) => row.ttlDays),
    ),
  };
}

/** A stored message in the form that callers see. */
export function toMessage({ id, role, content, timestamp, metadata }: StoredMessage): Message {
  return { id, role, content, timestamp, metadata };
}

/** Where the window ends, exclusive, when it says so; `end` −1 or null is the end of the thread. */
function requestedEnd({ end }: MessageWindow): number | undefined {
  return end === -1 || end === null ? Number.POSITIVE_INFINITY : end;
}

/**
 * Messages in order; without a window the newest 100, from `start` alone at most 100 (contract §4.6, D9). Indexes
 * count visible messages. One round trip. Errors: `not_found`.
 */
export async function getMessages(
  context: MemoryContext,
  threadId: string,
  window: MessageWindow,
): Promise<MessagesResponse> {
  const end = requestedEnd(window);
  const start = window.start ?? (end === undefined ? undefined : 0);
  const readEnd = end === undefined ? undefined : Math.min(end, (start ?? 0) + LARGEST_WINDOW);
  const stored = requireFound(
    await context.store.getMessages(
      threadId,
      { start, end: readEnd, limit: DEFAULT_WINDOW },
      { signal: context.signal },
    ),
    'thread',
    threadId,
  );
  const messages = takeWithinAnswer(stored.messages.map(toMessage));
  const wantedEnd = Math.min(stored.total, end ?? stored.firstIndex + DEFAULT_WINDOW);
  const reached = stored.firstIndex + messages.length;
  return { messages: [...messages], nextStart: messages.length > 0 && reached < wantedEnd ? reached : null };
}
