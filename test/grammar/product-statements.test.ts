import { describe, expect, test } from 'vitest';
import { representativeTexts } from '../../infra/docs/representative-texts.ts';
import { schemaTexts, serviceTexts, sessionTexts } from '../../infra/docs/statement-catalog.ts';
import type { RecordedStatement } from '../../infra/ords/statement-driver/recording-transport.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { checkHouseRules } from './house-rules.ts';
import { checkOracleGrammar, lintOracleText } from './oracle-grammar.ts';
import { findAtDepth, isToken, type OracleToken, startsWith, tokenizeOracle } from './oracle-token.ts';
import { PRODUCT_LITERALS } from './product-literals.ts';

const WARM_UP_MILLISECONDS = 120_000;
const MODEL = 'models.all_minilm_l12_v2';
const names = createSchemaNames();
const schema = [...(await schemaTexts(names)), ...sessionTexts(names)];
/** What a service sends, by what decides about its texts. */
const SERVICES: Readonly<Record<string, readonly RecordedStatement[]>> = {
  'any text': await serviceTexts({ fixedStatements: false, hasLimitedCallers: true }),
  'any text, with a model in the database': await serviceTexts({
    fixedStatements: false,
    hasLimitedCallers: false,
    embeddingModel: MODEL,
  }),
  'installed texts': await serviceTexts({ fixedStatements: true, hasLimitedCallers: true }),
  'installed texts, with a model in the database': await serviceTexts({
    fixedStatements: true,
    hasLimitedCallers: false,
    embeddingModel: MODEL,
  }),
};
const everything = [...Object.values(SERVICES).flat(), ...schema];

/** Columns of the schema whose type begins with one of the words. */
function columnsOf(...types: readonly string[]): ReadonlySet<string> {
  const isColumn = (tokens: readonly OracleToken[], index: number) =>
    types.some((type) => startsWith(tokens, index + 1, type)) && !isToken(tokens, index, 'INTO');
  const columns = schema
    .filter(({ kind }) => kind === 'ddl')
    .flatMap(({ sql }) => {
      const tokens = tokenizeOracle(sql);
      const open = findAtDepth(tokens, 0, '(');
      return tokens.flatMap((token, index) => (index > open && isColumn(tokens, index) ? [token.text] : []));
    });
  return new Set(columns);
}

const largeColumns = columnsOf('CLOB', 'JSON', 'VECTOR');
const times = columnsOf('TIMESTAMP');
const options = { largeColumns, storedFunctions: new Set([names.filterFunction]) };

/** The texts of each name that together hold what all texts of the name are made of. */
function parsedTexts(): ReadonlyMap<string, ReadonlySet<string>> {
  const byName = new Map<string, Set<string>>();
  for (const service of Object.values(SERVICES)) {
    for (const name of new Set(service.map((statement) => statement.name))) {
      const texts = representativeTexts(service.filter((statement) => statement.name === name));
      const known = byName.get(name) ?? new Set();
      byName.set(name, new Set([...known, ...texts.map(({ sql }) => sql)]));
    }
  }
  return byName;
}

describe('what the product sends is Oracle SQL', () => {
  test('the schema declares large columns and times', () => {
    expect([...largeColumns]).toEqual(expect.arrayContaining(['CONTENT', 'METADATA', 'EMBEDDING']));
    expect([...times]).toEqual(expect.arrayContaining(['CREATED_AT', 'EXPIRES_AT', 'LEASE_UNTIL']));
  });

  test.each(Object.entries({ ...SERVICES, schema }))(
    'no text breaks a rule of Oracle: %s',
    (_title, texts) => {
      for (const { name, sql } of texts)
        expect([name, sql, lintOracleText(sql, options)]).toEqual([name, sql, []]);
    },
  );

  test.each(Object.entries({ ...SERVICES, schema }))('no text breaks a house rule: %s', (_title, texts) => {
    for (const text of texts) expect([text.sql, checkHouseRules(text, { times })]).toEqual([text.sql, []]);
  });

  test.each(schema.map(({ name, sql }) => [name, sql.slice(0, 60).replaceAll('\n', ' '), sql]))(
    'the grammar takes %s: %s',
    (_name, _begin, sql) => {
      expect(checkOracleGrammar(sql, options)).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each([...parsedTexts()])(
    'the grammar takes every part of %s',
    (_name, texts) => {
      for (const sql of texts) expect([sql, checkOracleGrammar(sql, options)]).toEqual([sql, []]);
    },
    WARM_UP_MILLISECONDS,
  );

  test('every literal that a text may have is in one', () => {
    const texts = everything.map(({ sql }) => sql).join('\n');
    const unused = [...PRODUCT_LITERALS].filter((literal) => !texts.includes(`'${literal}'`));
    expect(unused).toEqual([]);
  });

  test('a bind is named and typed, and stands in the text', () => {
    for (const { name, sql, binds } of everything) {
      const placeholders = new Set(
        tokenizeOracle(sql)
          .filter(({ kind }) => kind === 'bind')
          .map(({ text }) => text),
      );
      const outs = [...placeholders].filter((placeholder) => /^:ROWS_\d+$/.test(placeholder));
      const given = Object.keys(binds).map((bind) => `:${bind.toUpperCase()}`);
      expect([name, [...placeholders].sort()]).toEqual([name, [...given, ...outs].sort()]);
    }
  });

  test('a store that embeds in the database does so in what it writes and in what it compares', () => {
    for (const title of Object.keys(SERVICES).filter((key) => key.includes('model'))) {
      const embedding = (SERVICES[title] ?? []).filter(({ sql }) =>
        sql.includes('VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING '),
      );
      expect(embedding.map(({ name }) => name)).toEqual(
        expect.arrayContaining([
          'records.add',
          'messages.append',
          'records.search_by_vector',
          'records.search_by_both',
        ]),
      );
    }
  });
});
