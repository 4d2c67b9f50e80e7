import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type EmulatedMemory, openEmulatedMemory } from './emulated-memory.ts';

const TOTAL = 10_000;
const PER_CALL = 1_000;
const WIDTH = 256;
/** What a bulk load of this size may cost. */
const MOST_ROUND_TRIPS = 25;

let emulated: EmulatedMemory;
beforeAll(async () => {
  emulated = await openEmulatedMemory(createRulesLlm());
});
afterAll(() => emulated?.memory.close());

const range = (start: number, length: number) => Array.from({ length }, (_, index) => start + index);
const axis = (index: number) =>
  Array.from({ length: WIDTH }, (_, place) => (place === index % WIDTH ? 1 : 0));

it('10,000 records with vectors are written in few round trips and listed page by page', async () => {
  const { memory, transport } = emulated;
  const before = transport.roundTrips;
  for (let start = 0; start < TOTAL; start += PER_CALL) {
    const numbers = range(start, PER_CALL);
    await memory.records.add({
      recordType: 'fact',
      contents: numbers.map((number) => `fact ${number}`),
      recordIds: numbers.map((number) => `fact-${number}`),
      embeddings: numbers.map(axis),
      userIds: 'bulk',
    });
  }
  const writes = transport.roundTrips - before;
  expect(writes).toBe(TOTAL / PER_CALL);
  expect(writes).toBeLessThanOrEqual(MOST_ROUND_TRIPS);
  const listed: string[] = [];
  for await (const { id } of memory.records.iterate({ recordType: 'fact', userId: 'bulk', limit: 1_000 })) {
    listed.push(id);
  }
  expect(listed).toEqual(range(0, TOTAL).map((number) => `fact-${number}`));
  expect(transport.roundTrips - before - writes).toBe(TOTAL / 1_000);
  const found = await memory.records.search({ queryVector: axis(7), k: 50 });
  expect(found.filter(({ distance }) => distance < 1e-5)).toHaveLength(Math.ceil((TOTAL - 7) / WIDTH));
}, 120_000);
