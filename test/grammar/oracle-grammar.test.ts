import { describe, expect, test } from 'vitest';
import { ACCEPTED_TEXTS } from './accepted-texts.ts';
import { checkOracleGrammar } from './oracle-grammar.ts';
import { REFUSED_TEXTS } from './refused-texts.ts';

const WARM_UP_MILLISECONDS = 120_000;

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
  ])(
    'leaves other uses of a large object alone: %s',
    (sql) => {
      expect(checkOracleGrammar(sql, { largeColumns: new Set(['BODY']) })).toEqual([]);
    },
    WARM_UP_MILLISECONDS,
  );
});
