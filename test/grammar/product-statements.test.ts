import { describe, expect, test } from 'vitest';
import { readMigrations } from '../../infra/schema-migrations.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { planStatements } from '../../lib/schema/schema-plan.ts';
import { everyStatement } from '../store/every-statement.ts';
import { checkOracleGrammar } from './oracle-grammar.ts';
import { findAtDepth, isToken, tokenizeOracle } from './oracle-token.ts';

const WARM_UP_MILLISECONDS = 120_000;
const inDatabase = createSchemaNames({ embeddingModel: 'models.all_minilm_l12_v2' });
const embedding = (await everyStatement(inDatabase)).filter(({ sql }) => sql.includes('VECTOR_EMBEDDING('));
const statements = [...(await everyStatement()), ...embedding];
const ddl = planStatements({
  names: createSchemaNames({ memoryStoreId: 'shop' }),
  migrations: readMigrations(),
  vectorDimensions: 384,
  searchStrategy: 'keyword',
  searchIndexSync: 'on_commit',
});

/** Columns that the schema declares as CLOB, JSON or VECTOR. */
function largeColumns(): ReadonlySet<string> {
  const names = ddl.flatMap(({ sql }) => {
    const tokens = tokenizeOracle(sql);
    const open = findAtDepth(tokens, 0, '(');
    return tokens.flatMap((token, index) =>
      index > open && isToken(tokens, index + 1, 'CLOB', 'JSON', 'VECTOR') ? [token.text] : [],
    );
  });
  return new Set(names);
}

describe('what the product sends is Oracle SQL', () => {
  test('the schema declares large columns', () => {
    expect([...largeColumns()]).toEqual(expect.arrayContaining(['CONTENT', 'METADATA', 'EMBEDDING']));
  });

  test.each(ddl.map(({ creates, sql }) => [creates, sql]))(
    'schema: %s',
    (_creates, sql) => {
      expect(checkOracleGrammar(sql)).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each([...new Set(statements.map((statement) => statement.name))])(
    'every text of %s',
    (name) => {
      const options = { largeColumns: largeColumns() };
      for (const { sql } of statements.filter((statement) => statement.name === name)) {
        expect([sql, checkOracleGrammar(sql, options)]).toEqual([sql, []]);
      }
    },
    WARM_UP_MILLISECONDS,
  );

  test('a store that embeds in the database does so in what it writes and in what it compares', () => {
    const names = embedding
      .filter(({ sql }) => sql.includes('VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING '))
      .map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'records.add',
        'messages.append',
        'records.search_by_vector',
        'records.search_by_both',
      ]),
    );
  });

  test('no text compares with an empty literal, which is NULL in Oracle', () => {
    for (const { sql } of statements) {
      const tokens = tokenizeOracle(sql);
      const compared = tokens.filter(
        (token, index) => token.text === "''" && isToken(tokens, index - 1, '=', '<>', '!='),
      );
      expect([sql, compared]).toEqual([sql, []]);
    }
  });
});
