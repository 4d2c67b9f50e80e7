import type { Extraction } from '../schemas/extraction.ts';
import type {
  AddMessagesRequest,
  AddMessagesResponse,
  Message,
  MessagesResponse,
  MessageWindow,
} from '../schemas/message.ts';
import type { MessageWindow as StoreWindow } from '../store/messages/message-window.ts';
import type { StoredMessage } from '../store/messages/stored-message.ts';
import { takeWithinAnswer } from './answer-size.ts';
import type { StoredMessages } from './extraction/admit-job.ts';
import { replayExtraction } from './extraction/replay-extraction.ts';
import { createJobStart, settleExtraction } from './extraction/settle-extraction.ts';
import type { MemoryContext } from './memory-context.ts';
import { readMessagePages } from './message-pages.ts';
import { createMessageRows, type MessageRowWithoutChunks } from './new-message-rows.ts';
import { requireFound } from './not-found.ts';
import { createRetrievalRows } from './retrieval-rows.ts';
import { ttlWarnings } from './ttl-warnings.ts';

/** Messages of a window that does not say where it ends (contract D9). */
const DEFAULT_WINDOW = 100;
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
  const stored = { threadId, ids: rows.map((row) => row.id) };
  return {
    ids: stored.ids,
    extraction:
      context.recorded === undefined
        ? await storeMessages(context, rows, stored)
        : await replayExtraction(context, context.recorded, stored),
    ...ttlWarnings(
      context.store.retention,
      rows.map((row) => row.ttlDays),
    ),
  };
}

async function storeMessages(
  context: MemoryContext,
  rows: readonly MessageRowWithoutChunks[],
  stored: StoredMessages,
): Promise<Extraction> {
  const chunks = await createRetrievalRows(
    context,
    rows.map((row) => row.content),
  );
  const start = createJobStart(context);
  const outcome = await context.store.appendMessages(
    {
      ...start,
      threadId: stored.threadId,
      messages: rows.map((row, index) => ({ ...row, chunks: chunks[index] ?? [] })),
    },
    { signal: context.signal },
  );
  return settleExtraction(context, outcome, start, stored);
}

/** A stored message in the form that callers see. */
export function toMessage({ id, role, content, timestamp, metadata }: StoredMessage): Message {
  return { id, role, content, timestamp, metadata };
}

/** Where the window ends, exclusive, when it says so; `end` −1 or null is the end of the thread. */
function requestedEnd({ end }: MessageWindow): number | undefined {
  return end === -1 || end === null ? Number.POSITIVE_INFINITY : end;
}

/** The first read of a window, and how many messages the window has at most. */
function firstRead(window: MessageWindow): { readonly read: StoreWindow; readonly wanted: number } {
  const end = requestedEnd(window);
  if (end === undefined) {
    return { read: { start: window.start, limit: DEFAULT_WINDOW }, wanted: DEFAULT_WINDOW };
  }
  const start = window.start ?? 0;
  const read = { start, end: Math.min(end, start + LARGEST_WINDOW), limit: DEFAULT_WINDOW };
  return { read, wanted: Math.max(0, end - start) };
}

/**
 * All messages of a window, however many reads it takes; none is left out when others are deleted between two reads. One
 * round trip for each 1,000 messages or four million characters. Errors: `not_found`.
 */
export async function readWholeWindow(
  context: MemoryContext,
  threadId: string,
  window: MessageWindow,
): Promise<readonly Message[]> {
  const { read, wanted } = firstRead(window);
  const messages: Message[] = [];
  const pageSize = () => Math.min(LARGEST_WINDOW, wanted - messages.length);
  for await (const page of readMessagePages(context, threadId, read, pageSize)) {
    messages.push(...page.messages.map(toMessage));
    if (messages.length >= wanted) break;
  }
  return messages;
}

/**
 * Messages in order, as many as one answer holds; without a window the newest 100, from `start` alone at most 100
 * (contract §4.6, D9). Indexes count visible messages: when one before `nextStart` is deleted meanwhile, the next message
 * has another index. One round trip. Errors: `not_found`.
 */
export async function getMessages(
  context: MemoryContext,
  threadId: string,
  window: MessageWindow,
): Promise<MessagesResponse> {
  const { read, wanted } = firstRead(window);
  const found = await context.store.getMessages(threadId, read, { signal: context.signal });
  const stored = requireFound(found, 'thread', threadId);
  const messages = takeWithinAnswer(stored.messages.map(toMessage));
  const wantedEnd = Math.min(stored.total, stored.firstIndex + wanted);
  const reached = stored.firstIndex + messages.length;
  return { messages: [...messages], nextStart: messages.length > 0 && reached < wantedEnd ? reached : null };
}
