import type { MessagesInWindow, MessageWindow } from '../store/messages/message-window.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

/**
 * The visible messages from the beginning of a window to the end of the thread, page by page, one round trip each. A page
 * begins after the last message of the one before, by its sequence number: none is left out or read twice when others
 * are deleted, expire or are appended meanwhile. Errors: `not_found`.
 *
 * @param pageSize Messages that the next page may have at most
 */
export async function* readMessagePages(
  context: MemoryContext,
  threadId: string,
  first: MessageWindow,
  pageSize: () => number,
): AsyncGenerator<MessagesInWindow, void> {
  let window = first;
  for (;;) {
    const read = await context.store.getMessages(threadId, window, { signal: context.signal });
    const page = requireFound(read, 'thread', threadId);
    yield page;
    const last = page.messages.at(-1);
    if (last === undefined || page.firstIndex + page.messages.length >= page.total) return;
    window = { after: last.sequence, limit: pageSize() };
  }
}
