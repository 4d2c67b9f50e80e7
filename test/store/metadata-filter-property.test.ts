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
const FILTERS = Number(process.env.METADATA_FILTER_RUNS ?? 2_000);
/** Every so many filters, how many results come back for fewer than there are. */
const CUT_EVERY = 10;
const DOCUMENTS = fc.sample(metadata, { seed: 20_261_130, numRuns: 120 });

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
  const chunks = [{ text: 'text', embedding: direction(10) }];
  await store.addRecords(
    DOCUMENTS.map((document, index) => newRecord(documentId(index), { metadata: document, chunks })),
  );
});
afterAll(() => opened?.transport.close());

it('a filter selects the records that its plain meaning selects, in a search or a list (contract §7)', async () => {
  let run = 0;
  await fc.assert(
    fc.asyncProperty(filtersOf(DOCUMENTS), async (metadataFilter) => {
      run += 1;
      const expected = [...DOCUMENTS.keys()]
        .filter((index) => matchesFilter(metadataFilter, DOCUMENTS[index] ?? {}))
        .map(documentId);
      expect(run % 2 === 0 ? await searched(metadataFilter, 1_000) : await listed(metadataFilter)).toEqual(
        expected,
      );
      if (run % CUT_EVERY > 0) return;
      const wanted = Math.ceil(expected.length / 2) + 1;
      expect(await searched(metadataFilter, wanted)).toEqual(expected.slice(0, wanted));
    }),
    { numRuns: FILTERS, seed: 1 },
  );
}, 300_000);

async function searched(metadataFilter: Parameters<typeof matchesFilter>[0], maxResults: number) {
  const found = await store.search(storeSearch({ metadataFilter, maxResults }));
  return found?.map((hit) => hit.record.id);
}

async function listed(metadataFilter: Parameters<typeof matchesFilter>[0]) {
  const list = { family: 'memory', metadataFilter, after: undefined, limit: 1_000 } as const;
  return (await store.listRecords(list)).records.map(({ record }) => record.id);
}

function documentId(index: number): string {
  return `document ${String(index).padStart(3, '0')}`;
}
