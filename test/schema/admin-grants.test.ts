import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSqlclScript } from './sqlcl-script.ts';
import { everyRuntimeStatement, tableUses } from './table-uses.ts';

const tables = tableNames(createSchemaNames());
const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

function sqlOf(script: string, given: Readonly<Record<string, string>> = {}): readonly string[] {
  return readSqlclScript(read('settings.sql') + read(script), { read, given })
    .filter(({ kind }) => kind === 'sql')
    .map(({ text }) => text);
}

describe('grants', () => {
  it('give the service every table and verb that its statements use, and no more', async () => {
    const used = new Set((await everyRuntimeStatement()).flatMap(({ sql }) => tableUses(sql)));
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

  it('are taken back for module mode: those on tables and, of row isolation, on its procedure', () => {
    const granted = ['grant_tables.sql', 'grant_row_access.sql'].flatMap((name) =>
      [...read(name).matchAll(/GRANT [A-Z, ]+ ON &(\w+)\.\.[^;']* TO &runtime\./g)].map(
        ([, schema]) => schema,
      ),
    );
    const takenBack = [...read('grant_module.sql').matchAll(/p\.owner = UPPER\('&(\w+)\.'\)/g)];
    expect(takenBack.map(([, schema]) => schema)).toEqual([...new Set(granted)]);
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
