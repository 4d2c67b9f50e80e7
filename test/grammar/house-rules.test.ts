import { describe, expect, it } from 'vitest';
import type { Binds } from '../../lib/sql/bind.ts';
import { clob, number, text } from '../../lib/sql/bind.ts';
import { checkHouseRules, HOUSE_RULES } from './house-rules.ts';

const SCHEMA = { times: new Set(['MADE_AT', 'ENDS_AT']) };
const BINDS: Binds = { body: clob('x'), name: text('x'), days: number(1) };

/** Texts that a rule must find, and texts beside them that it must leave alone. */
const EXAMPLES: Readonly<
  Record<string, { readonly wrong: readonly string[]; readonly right: readonly string[] }>
> = {
  emptyLiteral: {
    wrong: ["SELECT t.a AS a FROM t WHERE t.a <> ''", "UPDATE t SET t.a = NVL(t.b, '')"],
    right: ["UPDATE t SET t.a = 'it''s' WHERE t.a IS NULL"],
  },
  comparedWithNull: {
    wrong: [
      'SELECT t.a AS a FROM t WHERE t.a = NULL',
      'UPDATE t SET t.a = 1 WHERE t.b <> NULL',
      'UPDATE t SET t.a = CASE WHEN t.b = NULL THEN 1 ELSE 2 END',
    ],
    right: [
      'UPDATE t SET t.a = NULL, t.b = NULL WHERE t.c IS NULL',
      'UPDATE t SET t.a = CASE WHEN t.b = 1 THEN 1 ELSE 2 END, t.c = NULL',
    ],
  },
  notInSubquery: {
    wrong: ['DELETE FROM t WHERE t.a NOT IN (SELECT u.a FROM u)'],
    right: [
      'DELETE FROM t WHERE NOT EXISTS (SELECT 1 FROM u WHERE u.a = t.a)',
      "DELETE FROM t WHERE t.a NOT IN ('x', 'y')",
    ],
  },
  comparedLargeBind: {
    wrong: [
      'SELECT t.a AS a FROM t WHERE t.a = :body',
      'SELECT t.a AS a FROM t WHERE :body <> t.a',
      'SELECT t.a AS a FROM t ORDER BY :body',
      'BEGIN\n  DELETE FROM t WHERE t.a = l_body;\nEND;',
    ],
    right: [
      'UPDATE t SET t.a = :body, t.b = :body WHERE t.c = :name',
      'SELECT t.a AS a FROM t WHERE :body IS NULL OR DBMS_LOB.COMPARE(t.a, :body) = 0',
    ],
  },
  otherClock: {
    wrong: ['UPDATE t SET t.made_at = SYSDATE', 'SELECT LOCALTIMESTAMP AS now FROM dual'],
    right: ['UPDATE t SET t.made_at = SYSTIMESTAMP'],
  },
  numberAddedToTime: {
    wrong: ['UPDATE t SET t.ends_at = t.made_at + :days', 'DELETE FROM t WHERE t.made_at < SYSTIMESTAMP - 1'],
    right: [
      "UPDATE t SET t.ends_at = t.made_at + NUMTODSINTERVAL(:days, 'DAY')",
      'UPDATE t SET t.total = t.total + :days',
    ],
  },
  timeWithoutZone: {
    wrong: [
      "SELECT TO_DATE(:name, 'YYYY-MM-DD') AS d FROM dual",
      "SELECT TO_TIMESTAMP(:name, 'YYYY-MM-DD') AS d FROM dual",
    ],
    right: ["SELECT TO_TIMESTAMP_TZ(:name, 'YYYY-MM-DD TZH:TZM') AS d FROM dual"],
  },
  zonelessOutput: {
    wrong: ["SELECT TO_CHAR(t.made_at, 'YYYY-MM-DD') AS day FROM t"],
    right: [
      "SELECT TO_CHAR(t.made_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day, TO_CHAR(t.total) AS total FROM t",
    ],
  },
  sqlclText: {
    wrong: [
      "SELECT t.a AS a FROM t WHERE t.a = 'R&D'",
      'SELECT t.a AS a\n\nFROM t',
      'SELECT t.a AS a -- all\nFROM t',
      'SELECT t.a AS a\n@b\nFROM t',
    ],
    right: ['SELECT t.a AS a\nFROM t'],
  },
  selectedStar: {
    wrong: ['SELECT * FROM t', 'SELECT t.* FROM t', 'SELECT x.a AS a FROM (SELECT u.a, u.* FROM u) x'],
    right: ['SELECT COUNT(*) AS total, 2 * MAX(t.a) AS twice FROM t'],
  },
  unnamedColumn: {
    wrong: ['SELECT t.a FROM t', 'WITH x AS (SELECT 1 AS a FROM dual) SELECT x.a AS a, COUNT(*) FROM x'],
    right: ['WITH x AS (SELECT t.a FROM t) SELECT x.a AS a, NVL(x.a, 2) AS b FROM x', 'DELETE FROM t'],
  },
  comparingSet: {
    wrong: [
      'SELECT t.a AS a FROM t UNION SELECT u.a FROM u',
      'SELECT t.a AS a FROM t MINUS SELECT u.a FROM u',
    ],
    right: ['SELECT t.a AS a FROM t UNION ALL SELECT u.a FROM u'],
  },
  boundMergeSource: {
    wrong: [
      'MERGE INTO t USING (SELECT :name AS a FROM dual) s ON (t.a = s.a) WHEN MATCHED THEN UPDATE SET t.b = 1',
      'BEGIN\n  MERGE INTO t m USING (SELECT l_body AS a FROM dual) s ON (m.a = s.a) WHEN MATCHED THEN UPDATE SET m.b = 1;\nEND;',
    ],
    right: ['MERGE INTO t m USING dual ON (m.a = :name) WHEN MATCHED THEN UPDATE SET m.b = :body'],
  },
  repeatedTableAlias: {
    wrong: [
      'SELECT t.a AS a FROM t1 t JOIN t2 t ON t.a = 1',
      'SELECT x.a AS a FROM t1 x CROSS JOIN (SELECT y.a FROM t2 y, t3 y) z',
    ],
    right: [
      'SELECT t.a AS a FROM t1 t LEFT JOIN t2 u ON u.a = t.a WHERE EXISTS (SELECT 1 FROM t1 t WHERE t.a = 1)',
      "SELECT j.a AS a FROM JSON_TABLE(:body, '$' COLUMNS (a NUMBER PATH '$.a')) j CROSS JOIN t1 t",
    ],
  },
  repeatedTableName: {
    wrong: ['WITH x AS (SELECT 1 AS a FROM dual), x AS (SELECT 2 AS a FROM dual) SELECT x.a AS a FROM x'],
    right: ['WITH x AS (SELECT 1 AS a FROM dual), y AS (SELECT 2 AS a FROM dual) SELECT x.a AS a FROM x'],
  },
  manyBinds: { wrong: [], right: ['SELECT 1 AS one FROM dual'] },
  unknownLiteral: {
    wrong: [
      "SELECT t.a AS a FROM t WHERE t.a = 'O''Brien'",
      "SELECT t.a AS a FROM t WHERE t.a = 'blue'",
      `SELECT t.a AS a FROM t WHERE JSON_EXISTS(t.b, '$."it''s"')`,
    ],
    right: [
      "SELECT t.a AS a FROM t WHERE t.a = 'active'",
      `SELECT t.a AS a FROM t WHERE JSON_EXISTS(t.b, '$?(@."it\\u0027s".type() == "object")')`,
      "BEGIN\n  RAISE_APPLICATION_ERROR(-20404, 'thread not found');\nEND;",
    ],
  },
};

function findings(rule: string, sql: string, binds: Binds = BINDS): readonly string[] {
  const found = checkHouseRules({ name: 'example', sql, binds }, SCHEMA);
  return found.filter((each) => each.startsWith(`${rule}: `));
}

it('every house rule has examples', () => {
  expect(Object.keys(EXAMPLES).sort()).toEqual(Object.keys(HOUSE_RULES).sort());
});

describe.each(Object.entries(EXAMPLES))('the house rule %s', (rule, { wrong, right }) => {
  it.each(right)('leaves alone: %s', (sql) => {
    expect(findings(rule, sql)).toEqual([]);
  });
  for (const sql of wrong) it(`finds: ${sql}`, () => expect(findings(rule, sql)).not.toEqual([]));
});

it('the house rule manyBinds counts', () => {
  const binds = (total: number) =>
    Object.fromEntries(Array.from({ length: total }, (_, index) => [`b${index}`, text('x')]));
  expect(findings('manyBinds', 'SELECT 1 AS one FROM dual', binds(300))).toEqual([]);
  expect(findings('manyBinds', 'SELECT 1 AS one FROM dual', binds(301))).toEqual(['manyBinds: 301 binds']);
});
