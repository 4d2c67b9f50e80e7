import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import { createRecordingTransport } from '../../infra/ords/statement-driver/recording-transport.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState } from '../../lib/schema/schema-state.ts';
import { isToken, type OracleToken, startsWith, tokenizeOracle } from '../grammar/oracle-token.ts';
import { everyStatement } from '../store/every-statement.ts';
import { readSqlclScript } from './sqlcl-script.ts';

const names = createSchemaNames();
const tables = tableNames(names);
const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

function sqlOf(script: string, given: Readonly<Record<string, string>> = {}): readonly string[] {
  return readSqlclScript(read('settings.sql') + read(script), { read, given })
    .filter(({ kind }) => kind === 'sql')
    .map(({ text }) => text);
}

/** What a service sends: the statements of the store, and the reads with which it verifies the schema. */
async function everyRuntimeStatement(): Promise<readonly string[]> {
  const transport = createRecordingTransport({ rows: { 'schema.read_model': [{ model_dimensions: 3 }] } });
  await readSchemaState(transport, names);
  await readModelDimensions(transport, 'OWNER.MODEL', undefined);
  return [...(await everyStatement()), ...transport.statements].map(({ sql }) => sql);
}

/** `table verb` for each use of a table in a statement. */
function usesOf(sql: string): readonly string[] {
  const tokens = tokenizeOracle(sql);
  return tokens.flatMap((token, index) =>
    token.kind === 'word' && tables.includes(token.text)
      ? verbsAt(tokens, index).map((verb) => `${token.text} ${verb}`)
      : [],
  );
}

function verbsAt(tokens: readonly OracleToken[], index: number): readonly string[] {
  if (startsWith(tokens, index - 2, 'INSERT INTO')) return ['INSERT'];
  if (isToken(tokens, index - 1, 'UPDATE')) return ['UPDATE'];
  if (startsWith(tokens, index - 2, 'DELETE FROM')) return ['DELETE'];
  if (startsWith(tokens, index - 2, 'MERGE INTO')) return ['SELECT', 'INSERT', 'UPDATE'];
  return ['SELECT'];
}

describe('grants', () => {
  it('give the service every table and verb that its statements use, and no more', async () => {
    const used = new Set((await everyRuntimeStatement()).flatMap(usesOf));
    const granted = sqlOf('grant_tables.sql').flatMap((sql) => {
      const [, verbs, table] = /^GRANT ([A-Z, ]+) ON \w+\.(\w+) TO AGENT_MEMORY_RUNTIME$/.exec(sql) ?? [];
      return verbs === undefined ? [] : verbs.split(', ').map((verb) => `${table} ${verb}`);
    });
    expect(used.size).toBeGreaterThan(15);
    expect(granted.toSorted()).toEqual([...used].toSorted());
  });

  it('come with a synonym for each table, under the name that statements use', () => {
    const synonyms = sqlOf('grant_tables.sql', { prefix: 'SHOP_' }).flatMap(
      (sql) =>
        /^CREATE OR REPLACE SYNONYM AGENT_MEMORY_RUNTIME\.(\w+) FOR AGENT_MEMORY\.\1$/.exec(sql)?.[1] ?? [],
    );
    const shop = tableNames(createSchemaNames({ memoryStoreId: 'shop' }));
    expect(synonyms.toSorted()).toEqual([...shop].toSorted());
  });

  it('give the service nothing of the whole database but a session', () => {
    const whole = [
      ...sqlOf('create_runtime.sql', { runtime_password: 'x' }),
      ...sqlOf('grant_tables.sql'),
    ].filter((sql) => /^GRANT (?!.* ON )/.test(sql));
    expect(whole).toEqual(['GRANT CREATE SESSION TO AGENT_MEMORY_RUNTIME']);
  });

  it('restrict every table but the one that says nothing of anybody', () => {
    const policies = [...read('add_row_policies.sql').matchAll(/object_name => '&prefix\.(\w+)'/g)];
    const restricted = policies.map(([, table]) => table);
    expect([...restricted, 'MEMORY_META'].toSorted()).toEqual([...tables].toSorted());
    const dropped = [...read('drop_row_policies.sql').matchAll(/object_name => '&prefix\.(\w+)'/g)];
    expect(dropped.map(([, table]) => table)).toEqual(restricted);
  });

  it('are for the tables of the store that settings name, which drop_store.sql removes', () => {
    const dropped = sqlOf('drop_store.sql').flatMap(
      (sql) => /^DROP TABLE IF EXISTS (\w+)/.exec(sql)?.[1] ?? [],
    );
    expect(dropped).toEqual(tables);
  });
});
