import { env } from 'node:process';
import { parseArgs } from 'node:util';
import { AgentMemoryError, invalidRequest } from '../lib/errors/agent-memory-error.ts';
import { ensureSchema } from '../lib/schema/ensure-schema.ts';
import { changeJsonIndex } from '../lib/schema/json-index.ts';
import { checkRetentionPolicy, type RetentionPolicy } from '../lib/schema/retention-policy.ts';
import {
  JSON_INDEXES,
  type JsonIndex,
  type SchemaPolicy,
  VECTOR_INDEXES,
  type VectorIndex,
} from '../lib/schema/schema-policy.ts';
import { renderSchemaScript } from '../lib/schema/schema-script.ts';
import { readSchemaState, type SchemaState, writeRetention } from '../lib/schema/schema-state.ts';
import { maintainTextIndex, type TextIndexUpkeep } from '../lib/schema/text-index.ts';
import { changeVectorIndex, type VectorIndexOptions } from '../lib/schema/vector-index.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';
import { explainFailure } from './explain-failure.ts';
import { openDatabase } from './open-database.ts';
import { moduleScriptOf } from './ords/module-command.ts';
import { SCHEMA_COMMAND_USAGE } from './schema-command-usage.ts';
import {
  readRowIsolation,
  readSchemaDatabase,
  readSchemaNames,
  readSchemaSettings,
  type Variables,
} from './schema-environment.ts';
import { readMigrations } from './schema-migrations.ts';

/** What the command takes from its process. */
export interface SchemaCommandContext {
  readonly variables: Variables;
  readonly write: (text: string) => void;
  /** The database that the variables name, unless given. */
  readonly transport?: SqlTransport;
}

interface CommandOptions {
  readonly confirm?: boolean;
  readonly 'vector-index'?: string;
  readonly 'json-index'?: string;
  readonly 'runtime-user'?: string;
  readonly 'remove-old'?: boolean;
  readonly 'default-ttl-days'?: string;
  readonly 'max-ttl-days'?: string;
}

interface Command {
  /** Options that it takes; another one is refused, not ignored. */
  readonly options: readonly (keyof CommandOptions)[];
  run(context: SchemaCommandContext, options: CommandOptions): Promise<void>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  plan: { options: ['vector-index', 'json-index'], run: plan },
  module: { options: ['runtime-user', 'remove-old'], run: printModule },
  status: { options: [], run: status },
  apply: { options: ['vector-index', 'json-index'], run: apply },
  recreate: {
    options: ['confirm'],
    run: (context, { confirm = false }) => ensure(context, 'recreate', { confirmRecreate: confirm }),
  },
  'sync-index': { options: [], run: (context) => maintain(context, 'sync') },
  'optimize-index': { options: [], run: (context) => maintain(context, 'optimize') },
  retention: { options: ['default-ttl-days', 'max-ttl-days'], run: changeRetention },
};

async function plan({ variables, write }: SchemaCommandContext, options: CommandOptions): Promise<void> {
  const script = renderSchemaScript({
    ...(await readSchemaSettings(variables)),
    migrations: readMigrations(),
    vectorIndex: kindOf('vector-index', VECTOR_INDEXES, options),
    jsonIndex: kindOf('json-index', JSON_INDEXES, options),
  });
  write(script);
}

async function printModule(
  { variables, write }: SchemaCommandContext,
  { 'runtime-user': runtimeUser, 'remove-old': removesOld }: CommandOptions,
): Promise<void> {
  const { names, vectorDimensions } = await readSchemaSettings(variables);
  const hasRowIsolation = readRowIsolation(variables);
  write(await moduleScriptOf({ names, vectorDimensions, hasRowIsolation, runtimeUser, removesOld }));
}

async function status(context: SchemaCommandContext): Promise<void> {
  await withTransport(context, async (transport) => {
    const state = await readSchemaState(transport, readSchemaNames(context.variables));
    context.write(state === undefined ? 'not installed, or not complete\n' : describe(state));
  });
}

async function changeRetention(context: SchemaCommandContext, options: CommandOptions): Promise<void> {
  await withTransport(context, async (transport) => {
    const names = readSchemaNames(context.variables);
    const state = await readSchemaState(transport, names);
    if (state === undefined) throw new AgentMemoryError('not_found', 'the memory store is not installed');
    const retention: RetentionPolicy = {
      defaultTtlDays: days('default-ttl-days', options, state.retention.defaultTtlDays),
      maxTtlDays: days('max-ttl-days', options, state.retention.maxTtlDays),
    };
    checkRetentionPolicy(retention);
    await writeRetention(transport, names, retention);
    context.write(describe({ ...state, retention }));
  });
}

/** What `apply` and `recreate` do beside creating what is missing. */
interface SchemaChanges {
  readonly confirmRecreate?: boolean;
  readonly vectorIndex?: VectorIndex | undefined;
  readonly jsonIndex?: JsonIndex | undefined;
}

async function ensure(
  context: SchemaCommandContext,
  policy: SchemaPolicy,
  changes: SchemaChanges,
): Promise<void> {
  await withTransport(context, async (transport) => {
    const migrations = readMigrations();
    const warn = (message: string) => context.write(`warning: ${message}\n`);
    const settings = await readSchemaSettings(context.variables, transport);
    const { confirmRecreate = false } = changes;
    const options = { ...settings, transport, policy, migrations, confirmRecreate, warn };
    const state = await ensureSchema(options);
    const indexes = await changeIndexes(
      { ...options, vectorDimensions: state.vectorDimensions },
      state,
      changes,
    );
    context.write(describe({ ...state, ...indexes }));
  });
}

/** Builds or drops the indexes that are asked for; one that is there already stays. */
async function changeIndexes(
  options: Omit<VectorIndexOptions, 'vectorIndex'>,
  state: SchemaState,
  { vectorIndex = state.vectorIndex, jsonIndex = state.jsonIndex }: SchemaChanges,
): Promise<Pick<SchemaState, 'vectorIndex' | 'jsonIndex'>> {
  if (jsonIndex !== state.jsonIndex) await changeJsonIndex({ ...options, jsonIndex });
  if (vectorIndex === state.vectorIndex) return { vectorIndex, jsonIndex };
  return { vectorIndex: await changeVectorIndex({ ...options, vectorIndex }), jsonIndex };
}

async function apply(context: SchemaCommandContext, options: CommandOptions): Promise<void> {
  await ensure(context, 'create_if_necessary', {
    vectorIndex: kindOf('vector-index', VECTOR_INDEXES, options),
    jsonIndex: kindOf('json-index', JSON_INDEXES, options),
  });
}

const NO_HYBRID_INDEX =
  'hybrid: the managed hybrid vector index is not built; SEARCH_STRATEGY=hybrid joins text index and vectors in one statement, also with a model in the database (docs/decisions/0016-no-managed-hybrid-index.md)';

function kindOf<Kind extends string>(
  option: 'vector-index' | 'json-index',
  kinds: readonly Kind[],
  { [option]: value }: CommandOptions,
): Kind | undefined {
  if (option === 'vector-index' && value === 'hybrid') {
    throw new AgentMemoryError('unsupported', `vector-index: ${NO_HYBRID_INDEX}`);
  }
  const kind = kinds.find((each) => each === value);
  if (value !== undefined && kind === undefined) {
    throw invalidRequest(option, `must be one of ${kinds.join(', ')}`);
  }
  return kind;
}

async function maintain(context: SchemaCommandContext, upkeep: TextIndexUpkeep): Promise<void> {
  await withTransport(context, async (transport) => {
    await maintainTextIndex(transport, readSchemaNames(context.variables), upkeep);
    context.write('done\n');
  });
}

async function withTransport(
  context: SchemaCommandContext,
  use: (transport: SqlTransport) => Promise<void>,
): Promise<void> {
  if (context.transport !== undefined) return use(context.transport);
  const transport = openDatabase(readSchemaDatabase(context.variables));
  try {
    await use(transport);
  } finally {
    await transport.close();
  }
}

function describe(state: SchemaState): string {
  return `${JSON.stringify(state, null, 2)}\n`;
}

function days(
  option: 'default-ttl-days' | 'max-ttl-days',
  { [option]: value }: CommandOptions,
  stored: number | null,
): number | null {
  if (value === undefined) return stored;
  if (value === 'none') return null;
  if (!/^\d{1,6}$/.test(value)) throw invalidRequest(option, 'must be a number of days or none');
  return Number(value);
}

/** Runs one command line, without the program's name. Returns the exit code of the process. */
export async function runSchemaCommand(
  commandLine: readonly string[],
  context: SchemaCommandContext,
): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      allowPositionals: true,
      options: {
        confirm: { type: 'boolean' },
        'vector-index': { type: 'string' },
        'json-index': { type: 'string' },
        'runtime-user': { type: 'string' },
        'remove-old': { type: 'boolean' },
        'default-ttl-days': { type: 'string' },
        'max-ttl-days': { type: 'string' },
      },
    });
    const [name = '', ...others] = positionals;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    const allowed = (option: string): boolean => command?.options.some((each) => each === option) ?? false;
    if (command === undefined || others.length > 0 || !Object.keys(values).every(allowed)) {
      context.write(SCHEMA_COMMAND_USAGE);
      return 2;
    }
    await command.run(context, values);
    return 0;
  } catch (error) {
    context.write(`${explainFailure(error)}\n`);
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = await runSchemaCommand(process.argv.slice(2), {
    variables: env,
    write: (text) => process.stdout.write(text),
  });
}
