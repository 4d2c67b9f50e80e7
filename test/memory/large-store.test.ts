import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Embedder } from '../../lib/models/embedder.ts';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';

const RECORDS = 10_000;
const BATCH = 1_000;
const PAGE = 500;

/** Vectors are given: whoever embeds is at fault. */
const refuseToEmbed = (embedder: Embedder): Embedder => ({
  ...embedder,
  embed: () => Promise.reject(new Error('nothing needs an embedding here')),
});

const idOf = (index: number) => `record ${String(index).padStart(5, '0')}`;

/** A direction of its own for each record. */
const vectorOf = (index: number, dimensions: number) =>
  Array.from({ length: dimensions }, (_, axis) => (axis === index % dimensions ? 1 : index / 1e6));

let opened: EmulatedMemory;

beforeAll(async () => {
  opened = await openEmulatedMemory(createRulesLlm(), { wrapEmbedder: refuseToEmbed });
});
afterAll(() => opened?.memory.close());

it('adds 10,000 records with their vectors in ten round trips (contract §10.2)', async () => {
  const { memory, transport } = opened;
  const before = transport.roundTrips;
  for (let first = 0; first < RECORDS; first += BATCH) {
    const indexes = Array.from({ length: BATCH }, (_, index) => first + index);
    await memory.records.addBatches([
      {
        recordType: 'memory',
        contents: indexes.map((index) => `content ${index}`),
        recordIds: indexes.map(idOf),
        embeddings: indexes.map((index) => vectorOf(index, 256)),
      },
    ]);
  }
  expect(transport.roundTrips - before).toBe(RECORDS / BATCH);
  const [nearest] = await memory.records.search({ queryVector: vectorOf(7_777, 256), k: 1 });
  expect(nearest?.id).toBe(idOf(7_777));
}, 120_000);

it('reads them page by page while others add and delete (contract D12)', async () => {
  const { memory, transport } = opened;
  const before = transport.roundTrips;
  const seen: string[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await memory.records.list({ recordType: 'memory', limit: PAGE, cursor });
    expect(page.items.length).toBeLessThanOrEqual(PAGE);
    seen.push(...page.items.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    pages += 1;
    if (pages <= 10) {
      await memory.records.add({
        recordType: 'memory',
        contents: ['new'],
        recordIds: `new ${pages}`,
        embeddings: [vectorOf(pages, 256)],
      });
      await memory.records.delete('memory', idOf(pages));
      await memory.records.delete('memory', idOf(RECORDS - pages));
    }
  } while (cursor !== undefined);
  const deletedAhead = new Set(Array.from({ length: 10 }, (_, index) => idOf(RECORDS - 1 - index)));
  const expected = Array.from({ length: RECORDS }, (_, index) => idOf(index)).filter(
    (id) => !deletedAhead.has(id),
  );
  expect(seen.slice(0, expected.length)).toEqual(expected);
  expect(seen.slice(expected.length)).toEqual(Array.from({ length: 10 }, (_, index) => `new ${index + 1}`));
  expect(transport.roundTrips - before).toBe(pages + 30);
}, 120_000);
