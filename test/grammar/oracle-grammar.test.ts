import { describe, expect, test } from 'vitest';
import { EXAMPLE_ROWS, EXAMPLE_SCHEMA } from '../emulator/statements/example-schema.ts';
import type { StatementCase } from '../emulator/statements/statement-case.ts';
import { STATEMENT_TABLES } from '../emulator/statements/statement-tables.ts';
import { ACCEPTED_TEXTS } from './accepted-texts.ts';
import { checkOracleGrammar } from './oracle-grammar.ts';
import { REFUSED_TEXTS } from './refused-texts.ts';

const WARM_UP_MILLISECONDS = 120_000;

/** Texts of a case that Oracle must take: a slip in one of them would make the table demand a wrong answer. */
function acceptedTexts(expected: StatementCase): readonly string[] {
  const statement = expected.error === undefined && !expected.beyondGrammar ? [expected.sql] : [];
  return [...(expected.setup ?? []), ...statement, ...(expected.afterwards ? [expected.afterwards.sql] : [])];
}

const tableTexts = Object.values(STATEMENT_TABLES).flat().flatMap(acceptedTexts);

describe('the Oracle grammar check', () => {
  test.each(Object.entries(ACCEPTED_TEXTS))(
    'accepts: %s',
    (_title, sql) => {
      expect(checkOracleGrammar(sql)).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each(Object.entries(REFUSED_TEXTS))(
    'refuses: %s',
    (_title, sql) => {
      expect(checkOracleGrammar(sql)).not.toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each([
    'SELECT a.id FROM articles a WHERE a.body = :body',
    'SELECT a.id FROM articles a WHERE :body = a.body',
    'SELECT a.id FROM articles a ORDER BY a.body',
    'SELECT COUNT(*) AS n FROM articles a GROUP BY a.body',
    'SELECT DISTINCT body FROM articles',
    'SELECT a.body FROM articles a UNION SELECT b.body FROM drafts b',
    'SELECT a.id FROM articles a MINUS SELECT b.body FROM drafts b',
  ])(
    'refuses a large object where it cannot be compared: %s',
    (sql) => {
      expect(checkOracleGrammar(sql, { largeColumns: new Set(['BODY']) }).join()).toContain('ORA-00932');
      expect(checkOracleGrammar(sql)).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each([
    'UPDATE articles a SET a.body = :body WHERE a.id = :id',
    'UPDATE articles a SET a.title = :title, a.body = :body WHERE a.body IS NULL',
    'SELECT a.body FROM articles a WHERE a.body LIKE :pattern',
    'SELECT a.body FROM articles a UNION ALL SELECT b.body FROM drafts b',
  ])(
    'leaves other uses of a large object alone: %s',
    (sql) => {
      expect(checkOracleGrammar(sql, { largeColumns: new Set(['BODY']) })).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );

  test.each([...new Set([...EXAMPLE_SCHEMA, ...EXAMPLE_ROWS, ...tableTexts])])(
    'accepts what the tables of the emulator demand: %s',
    (sql) => {
      expect(checkOracleGrammar(sql)).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );
});
