import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import { emptyTables } from '../conformance/store-stage.ts';
import { type EmulatedStore, openEmulatedStore } from './emulated-store.ts';
import { matchesFilter } from './evaluate-metadata-filter.ts';
import { filtersOf, metadata } from './metadata-samples.ts';
import { DIMENSIONS, direction, NO_RETENTION, newRecord, storeSearch } from './store-samples.ts';

/** Raised by the nightly run. */
const FILTERS = Number(process.env.METADATA_FILTER_RUNS ?? 300);
const DOCUMENTS = fc.sample(metadata, { seed: 20_261_130, numRuns: 200 });

let opened: EmulatedStore;
let store: MemoryStore;

beforeAll(async () => {
  opened = await openEmulatedStore();
  const { transport, names } = opened;
  await emptyTables(transport, names);
  store = createMemoryStore({
    transport,
    names,
    settings: { dimensions: DIMENSIONS, retention: NO_RETENTION },
  });
  for (const [index, document] of DOCUMENTS.entries()) {
    const chunks = [{ text: 'text', embedding: direction(10) }];
    await store.addRecord(newRecord(documentId(index), { metadata: document, chunks }), undefined);
  }
});
afterAll(() => opened?.transport.close());

it('a filter selects the records that its plain meaning selects', async () => {
  await fc.assert(
    fc.asyncProperty(filtersOf(DOCUMENTS), async (metadataFilter) => {
      const found = await store.search(storeSearch({ metadataFilter, maxResults: 1_000 }));
      const expected = [...DOCUMENTS.keys()].filter((index) =>
        matchesFilter(metadataFilter, DOCUMENTS[index] ?? {}),
      );
      expect(found?.map((hit) => hit.record.id)).toEqual(expected.map(documentId));
    }),
    { numRuns: FILTERS, seed: 1 },
  );
}, 300_000);

function documentId(index: number): string {
  return `document ${String(index).padStart(3, '0')}`;
}
