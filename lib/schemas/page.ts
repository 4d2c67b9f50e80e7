import * as z from 'zod';
import { integerParameter } from './integer-parameter.ts';

/** Items of a page when the request does not say, and at most (HTTP API contract, Conventions). */
export const DEFAULT_PAGE_LIMIT = 100;
export const PAGE_LIMIT = 1_000;

/** `limit` of a paged list in the process. */
export const pageLimitSchema = z.int().min(1).max(PAGE_LIMIT);
/** `limit` of a paged list as a query parameter. */
export const pageLimitParameter = integerParameter(1, PAGE_LIMIT);

/** One page of a list: `nextCursor` asks for the next one, null at the end. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({ items: z.array(item), nextCursor: z.string().nullable() });
}

/** One page of a list: `nextCursor` is the `cursor` of the next, null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Every item of a paged list, read page by page as they are asked for. */
export async function* iteratePages<Item>(
  readPage: (cursor: string | undefined) => Promise<Page<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | undefined;
  for (;;) {
    const page = await readPage(cursor);
    yield* page.items;
    if (page.nextCursor === null) return;
    cursor = page.nextCursor;
  }
}

/** The first items of a list, `limit` at most. */
export async function takeItems<Item>(items: AsyncIterable<Item>, limit: number): Promise<readonly Item[]> {
  const taken: Item[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= limit) break;
  }
  return taken;
}
