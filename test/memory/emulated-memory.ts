import { installModule } from '../../infra/local/install-module.ts';
import {
  type Emulator,
  type EmulatorOptions,
  startEmulator,
} from '../../infra/local/oracle/start-emulator.ts';
import { AgentMemory } from '../../lib/memory/agent-memory.ts';
import type { MemoryContext, MemorySettings } from '../../lib/memory/memory-context.ts';
import type { Llm } from '../../lib/models/llm.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { type CountingTransport, withCounting } from '../../lib/sql/counting-transport.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { connectThin } from '../connect-thin.ts';
import { HASH_MODEL, hashModel } from '../database-model.ts';
import { MEMORY_DIMENSIONS, type OpenMemoryOptions, openMemory } from './open-memory.ts';

export interface EmulatedMemory {
  readonly memory: AgentMemory;
  readonly transport: CountingTransport;
  /** What the client is made of. */
  readonly context: MemoryContext;
  readonly names: SchemaNames;
  /** The same store through another search strategy; one that compares words needs the option `searchStrategy`. */
  with(strategy: MemorySettings['searchStrategy']): AgentMemory;
}

export type MemoryEntrance = 'process' | 'module' | 'thin';

export interface EmulatedMemoryOptions
  extends Pick<OpenMemoryOptions, 'searchStrategy' | 'wrapTransport' | 'wrapEmbedder'> {
  /** The hash embedder is a model of the database. */
  readonly embedsInDatabase?: boolean;
  /** ORDS without a network, installed statements over it, or a direct connection. @default 'process' */
  readonly entrance?: MemoryEntrance;
  /** Runs before every request to ORDS. */
  readonly middleware?: EmulatorOptions['middleware'];
  readonly faults?: EmulatorOptions['faults'];
}

/** The library on an emulated database in this process; closing the client ends it. */
export async function openEmulatedMemory(
  llm: Llm,
  {
    embedsInDatabase = false,
    entrance = 'process',
    middleware,
    faults,
    ...options
  }: EmulatedMemoryOptions = {},
): Promise<EmulatedMemory> {
  const emulator = await startEmulator({
    embeddingModels: hashModel(MEMORY_DIMENSIONS),
    tnsPort: entrance === 'thin' ? 0 : undefined,
    middleware,
    faults,
  });
  const transport = withCounting(connect(emulator, entrance));
  const owner = entrance === 'module' ? connect(emulator, 'process') : transport;
  const names = createSchemaNames({ embeddingModel: embedsInDatabase ? HASH_MODEL : undefined });
  const context = await openMemory({ ...options, transport, owner, names, llm });
  if (entrance === 'module') await installModule(emulator, names, MEMORY_DIMENSIONS);
  return {
    memory: new AgentMemory(context, async () => {
      await transport.close();
      await emulator.close();
    }),
    transport,
    context,
    names,
    with: (strategy) =>
      new AgentMemory({ ...context, settings: { ...context.settings, searchStrategy: strategy } }),
  };
}

function connect(emulator: Emulator, entrance: MemoryEntrance): SqlTransport {
  if (entrance === 'thin') return connectThin(emulator);
  const { ordsUrl: url, username, password, fetch } = emulator;
  const mode = entrance === 'module' ? 'module' : 'rest-sql';
  return createOrdsTransport({ url, credentials: { kind: 'basic', username, password }, mode }, { fetch });
}
