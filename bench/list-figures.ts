import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AgentMemory } from '../lib/memory/agent-memory.ts';
import type { Embedder } from '../lib/models/embedder.ts';
import type { Figure } from './figure.ts';
import type { MemoryOnEmulator } from './memory-on-emulator.ts';
import { median, percentile } from './statistics.ts';

const PAGE = 1_000;
/** Megabytes that live on the heap beyond those of the start, whatever the length of the list. */
const HEAP_BOUND = 20;

/**
 * All messages of the store, page by page, while others add one and delete two between the pages: one that has been read
 * and one that has not. What was there all the time must come once and in order.
 */
export async function listFigures(
  { with: withStrategy }: MemoryOnEmulator,
  embedder: Embedder,
  stored: number,
): Promise<readonly Figure[]> {
  const memory = withStrategy('hybrid');
  const collect = garbageCollector();
  collect();
  const heapAtStart = process.memoryUsage().heapUsed;
  const heap: number[] = [];
  const pages: number[] = [];
  let read = 0;
  let last = -1;
  let cursor: string | undefined;
  do {
    const start = performance.now();
    const page = await memory.records.list({ recordType: 'message', limit: PAGE, cursor });
    pages.push(performance.now() - start);
    for (const { id } of page.items) {
      const index = Number(id.slice('message '.length));
      if (index <= last) throw new Error(`message ${index} was listed after message ${last}`);
      last = index;
      if (index < stored) read += 1;
    }
    cursor = page.nextCursor ?? undefined;
    collect();
    heap.push((process.memoryUsage().heapUsed - heapAtStart) / 1e6);
    if (pages.length < stored / PAGE / 2) await write(memory, embedder, stored, pages.length);
  } while (cursor !== undefined);
  const deletedAhead = Math.ceil(stored / PAGE / 2) - 1;
  if (read !== stored - deletedAhead) throw new Error(`${read} of ${stored} messages were listed`);
  return [
    { name: `${stored} records, a page of ${PAGE} of the list, p50`, value: median(pages), unit: 'ms' },
    {
      name: `${stored} records, a page of ${PAGE} of the list, p95`,
      value: percentile(pages, 0.95),
      unit: 'ms',
    },
    {
      name: `${stored} records, the list's heap at most`,
      value: Math.max(...heap),
      unit: 'MB',
      bound: HEAP_BOUND,
    },
  ];
}

/** Adds a message at the end, and deletes the nth and the nth last of those that were there. */
async function write(memory: AgentMemory, embedder: Embedder, stored: number, turn: number): Promise<void> {
  const content = `Noted while others read, ${turn}.`;
  const vectors = await embedder.embed({ texts: [content], purpose: 'document' });
  await memory.records.add({
    recordType: 'message',
    contents: [content],
    recordIds: `message ${stored + turn}`,
    threadIds: 'thread 0',
    roles: 'user',
    embeddings: vectors.map((each) => [...each]),
  });
  await memory.records.delete('message', `message ${turn}`);
  await memory.records.delete('message', `message ${stored - turn}`);
}

/** Node hands out its garbage collector only when asked to by a flag. */
function garbageCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('this runtime has no garbage collector to call');
  return () => collect();
}
