import { loadLocalEmbedder } from '../infra/local/models/load-local-embedder.ts';
import { loadTokenizer } from '../infra/local/models/load-tokenizer.ts';
import { startEmulator } from '../infra/local/oracle/start-emulator.ts';
import { readMigrations } from '../infra/schema-migrations.ts';
import { systemClock } from '../lib/clock.ts';
import { AgentMemory } from '../lib/memory/agent-memory.ts';
import { JOB_DEFAULTS, type MemoryContext, type MemorySettings } from '../lib/memory/memory-context.ts';
import { withBatches } from '../lib/models/embedding-batches.ts';
import { ensureSchema } from '../lib/schema/ensure-schema.ts';
import { createSchemaNames } from '../lib/schema/schema-names.ts';
import { createOrdsTransport } from '../lib/sql/ords/ords-transport.ts';
import { createMemoryStore } from '../lib/store/create-memory-store.ts';
import type { MemoryStore } from '../lib/store/memory-store.ts';

/** One store, seen through each search strategy. */
export interface MemoryOnEmulator {
  readonly store: MemoryStore;
  with(strategy: MemorySettings['searchStrategy']): AgentMemory;
  close(): Promise<void>;
}

const RETENTION = { defaultTtlDays: null, maxTtlDays: null } as const;
const CHUNKS = { chunkTokens: 400, chunkOverlap: 50 } as const;

/** The library with the offline embedder on an emulated database of this process, without a language model. */
export async function openMemoryOnEmulator(): Promise<MemoryOnEmulator> {
  const emulator = await startEmulator();
  const { ordsUrl: url, username, password } = emulator;
  const credentials = { kind: 'basic', username, password } as const;
  const transport = createOrdsTransport({ url, credentials }, { fetch: emulator.fetch });
  const names = createSchemaNames();
  const embedder = loadLocalEmbedder();
  const dimensions = embedder.dimensions ?? 0;
  await ensureSchema({
    transport,
    names,
    policy: 'create_if_empty',
    migrations: readMigrations(),
    vectorDimensions: dimensions,
    searchStrategy: 'hybrid',
    searchIndexSync: 'on_commit',
    retention: RETENTION,
    embedderModel: embedder.modelId,
  });
  const tokenizer = await loadTokenizer();
  const store = createMemoryStore({ transport, names, settings: { dimensions, retention: RETENTION } });
  const context = (searchStrategy: MemorySettings['searchStrategy']): MemoryContext => ({
    store,
    embedder: withBatches(embedder, { tokenizer }),
    llm: undefined,
    tokenizer,
    clock: systemClock,
    newId: () => crypto.randomUUID(),
    settings: { searchStrategy, ...CHUNKS, extraction: {}, ...JOB_DEFAULTS },
  });
  return {
    store,
    with: (strategy) => new AgentMemory(context(strategy)),
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}
