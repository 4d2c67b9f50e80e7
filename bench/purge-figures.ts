import { startEmulator } from '../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../infra/schema-migrations.ts';
import { ensureSchema } from '../lib/schema/ensure-schema.ts';
import { createSchemaNames } from '../lib/schema/schema-names.ts';
import { RECORD_TYPES } from '../lib/schemas/record.ts';
import { createOrdsTransport } from '../lib/sql/ords/ords-transport.ts';
import { createMemoryStore } from '../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../lib/store/memory-store.ts';
import { purgeExpired } from '../lib/store/records/purge.ts';
import type { Figure } from './figure.ts';
import { percentile, time } from './statistics.ts';

const EXPIRED = 50_000;
const LIVE = 5_000;
const BATCH = 1_000;
const DIMENSIONS = 64;
const SEARCHES = 100;
const RETENTION = { defaultTtlDays: null, maxTtlDays: null } as const;
const UNFILTERED = { kind: 'unfiltered' } as const;

/**
 * How much slower searches are while 50,000 expired records are purged. The emulator runs one statement at a time, so a
 * search may wait for a batch; in Oracle it would not wait at all, and only the load would show.
 */
export async function purgeFigures(): Promise<readonly Figure[]> {
  const { transport, names, store, close } = await openStore();
  try {
    await fill(store, 'live', LIVE, { timestamp: null, ttlDays: null, ttlAnchor: 'created_at' });
    await fill(store, 'expired', EXPIRED, {
      timestamp: '2020-01-01T00:00:00.000Z',
      ttlDays: 1,
      ttlAnchor: 'timestamp',
    });
    await time(SEARCHES, (index) => search(store, index));
    const before = await time(SEARCHES, (index) => search(store, index));
    const during: number[] = [];
    let isRunning = true;
    const started = performance.now();
    const purge = purgeExpired({ transport, names }).finally(() => {
      isRunning = false;
    });
    while (isRunning) during.push(...(await time(1, () => search(store, during.length))));
    const { records } = await purge;
    if (records !== EXPIRED) throw new Error(`${records} records were purged`);
    const [quiet, busy] = [percentile(before, 0.95), percentile(during, 0.95)];
    return [
      { name: 'purge of 50,000 expired records', value: performance.now() - started, unit: 'ms' },
      { name: 'search, p95 before the purge', value: quiet, unit: 'ms' },
      {
        name: `search, p95 during the purge (${during.length} searches)`,
        value: busy,
        unit: 'ms',
        bound: 250,
      },
      { name: 'search during the purge to search before it, p95', value: busy / quiet, unit: '' },
    ];
  } finally {
    await close();
  }
}

async function openStore() {
  const emulator = await startEmulator();
  const { ordsUrl: url, username, password, fetch } = emulator;
  const transport = createOrdsTransport(
    { url, credentials: { kind: 'basic', username, password } },
    { fetch },
  );
  const names = createSchemaNames();
  await ensureSchema({
    transport,
    names,
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: DIMENSIONS,
    searchStrategy: 'vector',
    searchIndexSync: 'on_commit',
    retention: RETENTION,
    embedderModel: 'none',
  });
  const settings = { dimensions: DIMENSIONS, retention: RETENTION };
  const store = createMemoryStore({ transport, names, settings });
  return { transport, names, store, close: () => emulator.close() };
}

async function fill(
  store: MemoryStore,
  name: string,
  count: number,
  lifetime: {
    readonly timestamp: string | null;
    readonly ttlDays: number | null;
    readonly ttlAnchor: 'created_at' | 'timestamp';
  },
): Promise<void> {
  for (let first = 0; first < count; first += BATCH) {
    const records = Array.from({ length: BATCH }, (_, index) => ({
      family: 'memory' as const,
      recordType: 'memory' as const,
      id: `${name} ${first + index}`,
      content: `memory ${first + index}`,
      metadata: {},
      userId: `user ${index % 10}`,
      agentId: null,
      threadId: null,
      chunks: [{ text: `memory ${first + index}`, embedding: vector(first + index) }],
      ...lifetime,
    }));
    await store.addRecords(records);
  }
}

function search(store: MemoryStore, index: number) {
  return store.search({
    threadId: undefined,
    scope: { user: { kind: 'exact', value: `user ${index % 10}` }, agent: UNFILTERED, thread: UNFILTERED },
    recordTypes: RECORD_TYPES,
    metadataFilter: null,
    maxResults: 10,
    query: { strategy: 'vector', vector: vector(index) },
    minimums: {},
  });
}

function vector(seed: number): Float32Array {
  return Float32Array.from({ length: DIMENSIONS }, (_, index) => Math.sin((seed + 1) * (index + 1)));
}
