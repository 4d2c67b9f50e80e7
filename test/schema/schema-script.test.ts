import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { readManagedObjects } from '../../lib/schema/managed-objects.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState } from '../../lib/schema/schema-state.ts';
import { oracleErrorOf } from '../../lib/sql/oracle-database-error.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';
import { readSqlclScript } from './sqlcl-script.ts';

const WARM_UP_MILLISECONDS = 120_000;
const names = createSchemaNames({ memoryStoreId: 'shop' });
const objects = [
  ...tableNames(names),
  ...names.indexes,
  ...[names.textIndex, names.vectorIndex, names.jsonIndex, names.purgeJob],
];
const general = { MEMORY_STORE_ID: 'shop', EMBEDDING_DIMENSION: '8', EMBEDDING_MODEL: "it's a model" };
const stores: readonly {
  readonly title: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly options: readonly string[];
}[] = [
  { title: 'a vector store', variables: {}, options: [] },
  {
    title: 'a keyword store',
    variables: { SEARCH_STRATEGY: 'keyword', SEARCH_INDEX_SYNC: 'manual' },
    options: [],
  },
  {
    title: 'a hybrid store with every index and a retention policy',
    variables: { SEARCH_STRATEGY: 'hybrid', DEFAULT_TTL_DAYS: '7', MAX_TTL_DAYS: '30' },
    options: ['--vector-index', 'ivf', '--json-index', 'search'],
  },
];
const NO_JOB_PRIVILEGE = 27486;

let emulator: Emulator;
let transport: SqlTransport;

async function schemaCommand(variables: Readonly<Record<string, string>>, ...commandLine: readonly string[]) {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const code = await runSchemaCommand(commandLine, {
    variables: { ...general, ...variables },
    write,
    transport,
  });
  expect([code, output]).toEqual([0, expect.any(String)]);
  return output;
}

async function whatIsThere() {
  return {
    managed: await readManagedObjects(transport, objects),
    state: await readSchemaState(transport, names),
  };
}

async function dropStore(): Promise<void> {
  for (const table of tableNames(names)) await transport.executeDdl(`DROP TABLE IF EXISTS ${table} PURGE`);
}

/** Runs a script as SQLcl does that stops at the first error, and after WHENEVER SQLERROR CONTINUE goes on. */
async function runScript(script: string): Promise<readonly number[]> {
  const errors: number[] = [];
  let stops = false;
  for (const { kind, text } of readSqlclScript(script)) {
    if (kind === 'command')
      stops = /^WHENEVER SQLERROR EXIT/.test(text) || (stops && !/CONTINUE$/.test(text));
    else {
      try {
        await transport.executeDdl(text);
      } catch (error) {
        if (stops) throw error;
        errors.push(oracleErrorOf(error)?.number ?? 0);
      }
    }
  }
  return errors;
}

describe('npm run schema -- plan', () => {
  beforeAll(async () => {
    emulator = await startEmulator({ ordsPort: 0 });
    const { ordsUrl: url, username, password } = emulator;
    transport = createOrdsTransport({ url, credentials: { kind: 'basic', username, password } });
  });
  beforeEach(dropStore);
  afterAll(async () => {
    await transport?.close();
    await emulator?.close();
  });

  it.each(stores)('prints a script that makes what apply makes: $title', async ({ variables, options }) => {
    await schemaCommand(variables, 'apply', ...options);
    const applied = await whatIsThere();
    await dropStore();
    expect((await whatIsThere()).managed.objects.size).toBe(0);
    const errors = await runScript(await schemaCommand(variables, 'plan', ...options));
    expect(errors).toEqual([NO_JOB_PRIVILEGE]);
    expect(applied.state).toBeDefined();
    expect(await whatIsThere()).toEqual(applied);
  });

  it.each(stores)(
    'prints Oracle SQL: $title',
    async ({ variables, options }) => {
      const script = await schemaCommand(variables, 'plan', ...options);
      const steps = readSqlclScript(script).filter(({ kind }) => kind !== 'command');
      expect(steps.length).toBeGreaterThan(30);
      for (const { text } of steps) expect([text, checkOracleGrammar(text)]).toEqual([text, []]);
    },
    WARM_UP_MILLISECONDS,
  );
});
