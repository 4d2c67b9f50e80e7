import type { AuditPage, ListAuditRequest } from '../schemas/audit.ts';
import { writeCursor } from '../schemas/cursor.ts';
import type { ListHistoryRequest, MemoryFormPage } from '../schemas/memory-history.ts';
import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import { takeWithinAnswer } from './answer-size.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

/**
 * Earlier forms of a memory of any thread, newest first, each with who replaced it; none for a memory that never changed.
 * They go with the memory. One round trip. Errors: `not_found`.
 */
export async function getMemoryHistory(
  context: MemoryContext,
  memoryId: string,
  { limit = DEFAULT_PAGE_LIMIT, cursor }: ListHistoryRequest,
): Promise<MemoryFormPage> {
  const found = await context.store.listHistory(
    { memoryId, before: cursor, limit },
    { signal: context.signal },
  );
  const { forms, more } = requireFound(found, 'memory', memoryId);
  const items = takeWithinAnswer(forms.map(({ form }) => form));
  const last = forms[items.length - 1];
  const goesOn = more || items.length < forms.length;
  return {
    items: [...items],
    nextCursor: goesOn && last !== undefined ? writeCursor('history', last.position) : null,
  };
}

/** Writes and deletes, newest first: about one user, since a time, or all. It holds no content. One round trip. */
export async function listAudit(
  context: MemoryContext,
  { userId, since, limit = DEFAULT_PAGE_LIMIT, cursor }: ListAuditRequest,
): Promise<AuditPage> {
  const { entries, more } = await context.store.listAudit(
    { userId, since, before: cursor, limit },
    { signal: context.signal },
  );
  const items = takeWithinAnswer(entries.map(({ entry }) => entry));
  const last = entries[items.length - 1];
  const goesOn = more || items.length < entries.length;
  return {
    items: [...items],
    nextCursor: goesOn && last !== undefined ? writeCursor('audit', last.position) : null,
  };
}
