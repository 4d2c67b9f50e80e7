import { describe, expect, it } from 'vitest';
import { readMigrations } from '../../infra/schema-migrations.ts';
import {
  type Migration,
  type MigrationPart,
  renderBlock,
  renderMigration,
} from '../../lib/schema/render-migration.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { planStatements, scriptOf } from '../../lib/schema/schema-plan.ts';
import { checkStatementText } from '../../lib/sql/statement-text.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';

const names = createSchemaNames({ memoryStoreId: 'shop' });
const values = { names, vectorDimensions: 100, searchIndexSync: 'on_commit' } as const;
const plan = (searchStrategy: 'vector' | 'keyword') =>
  planStatements({ ...values, migrations: readMigrations(), searchStrategy });
function optional<Result>(
  part: MigrationPart,
  render: (migration: Migration, options: typeof values) => Result,
): Result {
  const migration = scriptOf(readMigrations(), part);
  if (migration === undefined) throw new Error(`there is no script for ${part}`);
  return render(migration, values);
}
const script = (sql: string): Migration => ({ version: 1, fileName: 'x.sql', sql, part: 'store' });

describe('the scripts of infra/sql', () => {
  it('create exactly the names of the closed list', () => {
    const created = plan('keyword').flatMap((statement) => statement.creates ?? []);
    expect([...created].sort()).toEqual([...tableNames(names), ...names.indexes, names.textIndex].sort());
  });

  it('build the text index for the keyword strategy only', () => {
    expect(plan('vector').map((statement) => statement.creates)).not.toContain(names.textIndex);
    const built = plan('keyword').find((statement) => statement.creates === names.textIndex);
    expect(built?.sql).toContain('SYNC (ON COMMIT)');
  });

  it('can be sent to ORDS and are Oracle SQL', () => {
    for (const statement of plan('keyword')) {
      checkStatementText('schema', statement.sql);
      expect([statement.creates, checkOracleGrammar(statement.sql)]).toEqual([statement.creates, []]);
    }
  });

  it.each<[MigrationPart, string]>([
    ['vector_index_hnsw', names.vectorIndex],
    ['vector_index_ivf', names.vectorIndex],
    ['json_search_index', names.jsonIndex],
  ])('%s is Oracle SQL for one index', (part, index) => {
    const [statement, ...others] = optional(part, renderMigration);
    expect([statement?.creates, others]).toEqual([index, []]);
    checkStatementText(part, statement?.sql ?? '');
    expect(checkOracleGrammar(statement?.sql ?? '')).toEqual([]);
  });

  it.each<MigrationPart>(['text_lexer', 'purge_job'])('%s is one block that ORDS takes', (part) => {
    const block = optional(part, renderBlock);
    checkStatementText(part, block);
    expect(block).toMatch(/^BEGIN[\s\S]*END;$/);
    expect(checkOracleGrammar(block)).toEqual([]);
  });

  it('give the purge job an action of PL/SQL that fits, with this store’s tables and small batches', () => {
    const action = /q'\[([^\]]*)\]'/.exec(optional('purge_job', renderBlock))?.[1] ?? '';
    expect(Buffer.byteLength(action)).toBeLessThan(4_000);
    // The check takes subscripts of collections for functions.
    expect(checkOracleGrammar(action.replaceAll(/(l_\w+)\(i\)/g, '$1'))).toEqual([]);
    expect(
      [...action.matchAll(/\w*MEMORY_\w+/g)].every(([name = '']) => tableNames(names).includes(name)),
    ).toBe(true);
    expect(action.match(/ROWNUM <= 1000/g)).toHaveLength(3);
    expect(action.match(/COMMIT;/g)).toHaveLength(4);
    expect(action.match(/EXIT WHEN SYSTIMESTAMP >= l_end/g)).toHaveLength(3);
  }, 180_000);

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
      {
        creates: 'SHOP_A',
        version: 1,
        columns: ['SHOP_A.B'],
        sql: "CREATE TABLE SHOP_A (\n  b VARCHAR2(9)  DEFAULT ';SHOP_'\n)",
      },
      { creates: 'c', version: 1, columns: [], sql: 'CREATE INDEX c ON d (e)' },
    ]);
  });

  it('knows what changes a table', () => {
    const sql =
      'ALTER TABLE A ADD b NUMBER;\nALTER TABLE A ADD (\n  c NUMBER,\n  d NUMBER);\nUPDATE A SET b = 1;';
    expect(renderMigration(script(sql), values)).toMatchObject([
      { creates: undefined, columns: ['A.B'] },
      { creates: undefined, columns: ['A.C', 'A.D'] },
      { creates: undefined, columns: [], sql: 'UPDATE A SET b = 1' },
    ]);
  });

  it('refuses unknown variables and statements of other kinds', () => {
    expect(() => renderMigration(script('CREATE TABLE &other.A (b NUMBER)'), values)).toThrow(/other/);
    expect(() => renderMigration(script('DROP TABLE A'), values)).toThrow(/x\.sql/);
  });
});
