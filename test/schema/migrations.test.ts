import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { planStatements } from '../../lib/schema/ensure-schema.ts';
import { type Migration, renderMigration } from '../../lib/schema/render-migration.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { checkStatementText } from '../../lib/sql/statement-text.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';

const names = createSchemaNames({ memoryStoreId: 'shop' });
const values = { names, vectorDimensions: 100, searchIndexSync: 'on_commit' } as const;
const plan = (searchStrategy: 'vector' | 'keyword') =>
  planStatements({ ...values, migrations: readMigrations(), searchStrategy });
const script = (sql: string): Migration => ({ version: 1, fileName: 'x.sql', sql, keywordOnly: false });

describe('the scripts of infra/sql', () => {
  it('create exactly the names of the closed list', () => {
    const created = plan('keyword').map((statement) => statement.creates);
    expect([...created].sort()).toEqual([...tableNames(names), ...names.indexes, names.textIndex].sort());
  });

  it('build the text index for the keyword strategy only', () => {
    expect(plan('vector').map((statement) => statement.creates)).not.toContain(names.textIndex);
    expect(plan('keyword').at(-1)?.sql).toContain('SYNC (ON COMMIT)');
  });

  it('can be sent to ORDS and are Oracle SQL', () => {
    for (const statement of plan('keyword')) {
      checkStatementText(statement.creates, statement.sql);
      expect([statement.creates, checkOracleGrammar(statement.sql)]).toEqual([statement.creates, []]);
    }
  });

  it('give the embedding the width of the embedder', () => {
    expect(plan('vector').some(({ sql }) => sql.includes('embedding VECTOR(100, FLOAT32)'))).toBe(true);
    for (const vectorDimensions of [0, 1.5, 65_536]) {
      expect(() =>
        renderMigration(script('CREATE TABLE a (b NUMBER)'), { ...values, vectorDimensions }),
      ).toThrow(RangeError);
    }
  });
});

describe('renderMigration', () => {
  it('leaves out comments and blank lines, splits at semicolons outside of literals', () => {
    const sql =
      "-- it's; here\nCREATE TABLE &prefix.A (\n  b VARCHAR2(9) /* ; */ DEFAULT ';&prefix.'\n\n);\nCREATE INDEX c ON d (e);\n";
    expect(renderMigration(script(sql), values)).toEqual([
      { creates: 'SHOP_A', sql: "CREATE TABLE SHOP_A (\n  b VARCHAR2(9)  DEFAULT ';SHOP_'\n)" },
      { creates: 'c', sql: 'CREATE INDEX c ON d (e)' },
    ]);
  });

  it('refuses unknown variables and statements that create nothing', () => {
    expect(() => renderMigration(script('CREATE TABLE &other.A (b NUMBER)'), values)).toThrow(/other/);
    expect(() => renderMigration(script('DROP TABLE A'), values)).toThrow(/x\.sql/);
  });
});
