import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AgentMemory } from '../../lib/memory/agent-memory.ts';
import { createScriptedLlm } from '../../lib/testing/index.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';
import { PAGED_LISTS, type PagedList, preparePagedLists } from './paged-lists.ts';

/** What others do between two pages: add an item, or remove the one at this place among those that there are. */
type Write = { readonly kind: 'add' } | { readonly kind: 'remove'; readonly place: number };

interface Walk {
  readonly initial: number;
  readonly limit: number;
  /** The writes after each page. */
  readonly writes: readonly (readonly Write[])[];
}

const WRITE: fc.Arbitrary<Write> = fc.oneof(
  fc.constant({ kind: 'add' } as const),
  fc.record({ kind: fc.constant('remove' as const), place: fc.nat({ max: 20 }) }),
);
const WALK: fc.Arbitrary<Walk> = fc.record({
  initial: fc.integer({ min: 0, max: 7 }),
  limit: fc.integer({ min: 1, max: 4 }),
  writes: fc.array(fc.array(WRITE, { maxLength: 3 }), { minLength: 3, maxLength: 6 }),
});

/** A list and what must be in it. */
function createModel(memory: AgentMemory, list: PagedList, prefix: string) {
  const added: string[] = [];
  const live = new Set<string>();
  const remove = async (id: string) => {
    await list.remove(memory, id);
    live.delete(id);
  };
  return {
    async add() {
      const id = `${prefix}-${added.length}`;
      await list.add(memory, id);
      added.push(id);
      live.add(id);
    },
    async removeAt(place: number) {
      const id = [...live][place % Math.max(1, live.size)];
      if (id !== undefined) await remove(id);
    },
    async removeAll() {
      for (const id of live) await remove(id);
    },
    /** What the list holds behind an item that was in it, also when that is gone. */
    restAfter(last: string | undefined): readonly string[] {
      const ordered = list.order === 'oldest first' ? added : added.toReversed();
      const start = last === undefined ? 0 : ordered.indexOf(last) + 1;
      return ordered.slice(start).filter((id) => live.has(id));
    },
  };
}

/** Walks a list page by page; each page is exactly what is there behind the one before. */
async function checkWalk(
  memory: AgentMemory,
  list: PagedList,
  { initial, limit, writes }: Walk,
): Promise<void> {
  const model = createModel(memory, list, crypto.randomUUID());
  for (let count = 0; count < initial; count += 1) await model.add();
  let last: string | undefined;
  let cursor: string | undefined;
  for (let page = 0; ; page += 1) {
    const rest = model.restAfter(last);
    const { ids, nextCursor } = await list.page(memory, limit, cursor);
    expect(ids).toEqual(rest.slice(0, limit));
    expect(nextCursor === null).toBe(rest.length <= limit);
    if (nextCursor === null) break;
    last = ids.at(-1);
    cursor = nextCursor;
    for (const write of writes[page] ?? []) {
      if (write.kind === 'add') await model.add();
      else await model.removeAt(write.place);
    }
  }
  await model.removeAll();
}

describe('lists while others write (contract D12)', () => {
  let opened: EmulatedMemory;
  beforeAll(async () => {
    opened = await openEmulatedMemory(createScriptedLlm(() => ({ memories: [], summary: 'Greetings.' })));
    await preparePagedLists(opened.memory);
  });
  afterAll(() => opened?.memory.close());

  it.each(PAGED_LISTS)('$name is exact page by page, $order', async (list) => {
    await fc.assert(
      fc.asyncProperty(WALK, (walk) => checkWalk(opened.memory, list, walk)),
      { numRuns: 12, endOnFailure: true },
    );
  });
});
