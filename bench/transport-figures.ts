import { openThinTransport } from '../functions/runtime/open-thin-transport.ts';
import { loadLocalEmbedder } from '../infra/local/models/load-local-embedder.ts';
import { loadTokenizer } from '../infra/local/models/load-tokenizer.ts';
import { type Emulator, startEmulator } from '../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../infra/schema-migrations.ts';
import type { AgentMemory } from '../lib/memory/agent-memory.ts';
import { openAgentMemory } from '../lib/memory/open-agent-memory.ts';
import { type CountingTransport, withCounting } from '../lib/sql/counting-transport.ts';
import { createOrdsTransport } from '../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';
import type { Figure } from './figure.ts';
import { median, time } from './statistics.ts';

const WARM_UP = 20;
const SAMPLES = 100;
const BULK_RECORDS = 1_000;
const BULK_CHARACTERS = 2_000;

type Work = (memory: AgentMemory, run: string) => Promise<unknown>;

/** Operations beside which a bare statement is timed; each has the thread `bench` and the user `bench`. */
const OPERATIONS: Readonly<Record<string, Work>> = {
  getThread: (memory) => memory.getThread('bench'),
  createThread: (memory, run) => memory.createThread({ threadId: run, userId: 'bench' }),
  addMessages: async (memory) =>
    (await memory.getThread('bench')).addMessages([
      { role: 'user', content: 'I prefer trains over planes.' },
    ]),
  addMemory: (memory, run) => memory.addMemory('likes window seats', { memoryId: run, userId: 'bench' }),
  listMemories: (memory) => memory.listMemories({ userId: 'bench', limit: 20 }),
  search: (memory) => memory.search('How do I like to travel?', { userId: 'bench' }),
  getContextCard: async (memory) => (await memory.getThread('bench')).getContextCard(),
};

/**
 * What the ways to a database cost: each operation beside a bare statement over the same transport in the same run, and the
 * round trips of each. Both transports reach the same emulator over loopback, so its own work is in both.
 */
export async function transportFigures(): Promise<readonly Figure[]> {
  await using emulator = await openEmulator();
  const figures: Figure[] = [];
  for (const [name, transport] of Object.entries(transportsTo(emulator.emulator))) {
    const counting = withCounting(transport);
    try {
      figures.push(...(await measure(name, counting)));
    } finally {
      await counting.close();
    }
  }
  return figures;
}

async function openEmulator(): Promise<AsyncDisposable & { readonly emulator: Emulator }> {
  const emulator = await startEmulator({ ordsPort: 0, tnsPort: 0 });
  return { emulator, [Symbol.asyncDispose]: () => emulator.close() };
}

function transportsTo(emulator: Emulator): Readonly<Record<string, SqlTransport>> {
  const { ordsUrl: url, connectString, username, password } = emulator;
  if (connectString === undefined) throw new Error('the emulator has no TNS listener');
  return {
    ords: createOrdsTransport({ url, credentials: { kind: 'basic', username, password } }),
    thin: openThinTransport({ connectString, credentials: { kind: 'password', user: username, password } }),
  };
}

async function measure(name: string, transport: CountingTransport): Promise<readonly Figure[]> {
  const embedder = loadLocalEmbedder();
  const memory = await openAgentMemory({
    transport,
    embedder,
    tokenizer: await loadTokenizer(),
    schemaPolicy: 'create_if_necessary',
    migrations: readMigrations(),
    memoryStoreId: name,
    extractMemories: false,
  });
  await memory.createThread({ threadId: 'bench', userId: 'bench' });
  const bare = await timed(() => bareStatement(transport));
  const figures: Figure[] = [{ name: `${name}: a bare statement, p50`, value: bare, unit: 'ms' }];
  for (const [operation, work] of Object.entries(OPERATIONS)) {
    const before = transport.roundTrips;
    const milliseconds = await timed((index) => work(memory, `${operation}-${index}`));
    const trips = (transport.roundTrips - before) / (WARM_UP + SAMPLES);
    figures.push(
      { name: `${name}: ${operation}, p50`, value: milliseconds, unit: 'ms' },
      { name: `${name}: ${operation}, to a bare statement`, value: milliseconds / bare, unit: '' },
      { name: `${name}: ${operation}, round trips`, value: trips, unit: '' },
    );
  }
  return [...figures, ...(await measureBulk(name, transport, memory, embedder.dimensions ?? 0))];
}

async function timed(work: (index: number) => Promise<unknown>): Promise<number> {
  await time(WARM_UP, (index) => work(index - WARM_UP));
  return median(await time(SAMPLES, work));
}

function bareStatement(transport: SqlTransport): Promise<unknown> {
  const query = {
    name: 'bench.bare',
    sql: 'SELECT 1 AS one FROM dual',
    binds: {},
    shape: { one: 'number' },
  } as const;
  return transport.query(query);
}

/** Many records with vectors of their own in one call. */
async function measureBulk(
  name: string,
  transport: CountingTransport,
  memory: AgentMemory,
  dimensions: number,
): Promise<readonly Figure[]> {
  const numbers = Array.from({ length: BULK_RECORDS }, (_, index) => index);
  const batch = {
    recordType: 'memory',
    recordIds: numbers.map((index) => `bulk-${index}`),
    contents: numbers.map((index) => `${index} `.padEnd(BULK_CHARACTERS, 'word ')),
    embeddings: numbers.map((index) =>
      Array.from({ length: dimensions }, (_, place) => Math.sin(index + place)),
    ),
  } as const;
  const before = transport.roundTrips;
  const [milliseconds = Number.NaN] = await time(1, () => memory.records.add(batch));
  return [
    { name: `${name}: ${BULK_RECORDS} records with vectors in one call`, value: milliseconds, unit: 'ms' },
    {
      name: `${name}: round trips of that call`,
      value: transport.roundTrips - before,
      unit: '',
      bound: 1,
    },
  ];
}
