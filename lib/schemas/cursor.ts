import * as z from 'zod';

/** Lists that are paged, and the wait for extraction; a cursor of one means nothing in another. */
export type PagedList =
  | 'threads'
  | 'memories'
  | 'users'
  | 'agents'
  | 'records'
  | 'jobs'
  | 'extraction'
  | 'history'
  | 'audit';

const CURSOR = /^[\w-]{1,100}$/;

/** The cursor after the row with this sequence number. Opaque to callers; it holds a position, no content. */
export function writeCursor(list: PagedList, position: number): string {
  return btoa(`${list}:${position}`).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** The position that a cursor of this list holds; undefined for any other text. */
export function readCursor(list: PagedList, cursor: string): number | undefined {
  if (!CURSOR.test(cursor)) return undefined;
  const position = Number(/:(\d{1,15})$/.exec(decodeText(cursor))?.[1]);
  return writeCursor(list, position) === cursor ? position : undefined;
}

/** A cursor as a request carries it; parsed to the position after which the page begins. */
export function cursorSchema(list: PagedList) {
  return z.string().transform((cursor, context) => {
    const position = readCursor(list, cursor);
    if (position !== undefined) return position;
    context.addIssue({ code: 'custom', message: 'is not a cursor of this list' });
    return z.NEVER;
  });
}

function decodeText(cursor: string): string {
  try {
    return atob(cursor.replaceAll('-', '+').replaceAll('_', '/'));
  } catch {
    return '';
  }
}
