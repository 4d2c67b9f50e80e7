import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StoredCatalog } from '../../infra/local/oracle/engine/stored-catalog.ts';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import type { OracleType } from '../../infra/local/oracle/sql/oracle-type.ts';
import { tokenize } from '../../infra/local/oracle/sql/tokenizer.ts';
import { translate } from '../../infra/local/oracle/translate/translate.ts';

const STATEMENTS = [
  `WITH d AS (SELECT n.id, SUM(n.size_bytes) AS total FROM note n GROUP BY n.id) SELECT d.id, d.total / 2 FROM d ORDER BY 2 DESC FETCH FIRST :k ROWS ONLY`,
  `SELECT n.id, ROW_NUMBER() OVER (PARTITION BY n.kind ORDER BY n.at DESC NULLS LAST) AS rn FROM note n LEFT JOIN note m ON m.id = n.id WHERE n.kind IN ('a', 'b') AND (n.at IS NULL OR n.at > SYSTIMESTAMP)`,
  `SELECT j.x, j.y FROM JSON_TABLE(:doc, '$.a[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (x FOR ORDINALITY, y VARCHAR2(10) PATH '$.y')) j`,
  `SELECT n.id FROM note n WHERE JSON_EXISTS(n.data, '$.a?(@.b == $v)' PASSING :k AS "v") AND JSON_VALUE(n.data, '$.c' RETURNING NUMBER) BETWEEN 1 AND 5`,
  `INSERT INTO note (id, kind, data) SELECT n.id || 'x', UPPER(n.kind), JSON('{}') FROM note n WHERE NOT EXISTS (SELECT 1 FROM note m WHERE m.id = n.id || 'x')`,
  `UPDATE note n SET n.kind = CASE WHEN n.size_bytes > 5 THEN 'big' ELSE NVL(n.kind, '-') END, n.at = SYSTIMESTAMP + NUMTODSINTERVAL(:k, 'DAY') WHERE n.id = :doc RETURNING n.kind INTO :kind`,
  `MERGE INTO note n USING (SELECT 'a' AS id FROM dual) s ON (n.id = s.id) WHEN MATCHED THEN UPDATE SET n.kind = 'm' DELETE WHERE n.size_bytes < 0 WHEN NOT MATCHED THEN INSERT (id) VALUES (s.id)`,
  `CREATE TABLE IF NOT EXISTS other (id NUMBER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, note_id VARCHAR2(20 CHAR) REFERENCES note (id) ON DELETE CASCADE, v VECTOR(3, FLOAT32), CONSTRAINT other_u UNIQUE (note_id, id))`,
];

const text: OracleType = { kind: 'VARCHAR2', length: 20, unit: 'CHAR' };
const catalog = new StoredCatalog();
catalog.apply([
  {
    kind: 'table',
    table: {
      name: 'NOTE',
      columns: [
        { name: 'ID', type: text, nullable: false, identity: false },
        { name: 'KIND', type: text, nullable: true, identity: false },
        { name: 'SIZE_BYTES', type: { kind: 'NUMBER' }, nullable: true, identity: false },
        {
          name: 'AT',
          type: { kind: 'TIMESTAMP', precision: 6, timeZone: true },
          nullable: true,
          identity: false,
        },
        { name: 'DATA', type: { kind: 'JSON' }, nullable: true, identity: false },
      ],
      constraints: [{ name: 'NOTE_PK', kind: 'PRIMARY KEY', columns: ['ID'] }],
    },
  },
]);
const binds = new Map<string, OracleType>([
  ['K', { kind: 'NUMBER' }],
  ['DOC', { kind: 'CLOB' }],
  ['KIND', text],
]);
const context = { catalog, binds, variables: new Map<string, OracleType>() };

const words = STATEMENTS.map((statement) =>
  tokenize(statement).flatMap((token) => (token.kind === 'end' ? [] : [token.text])),
);
const mutation = fc.record({
  statement: fc.nat(words.length - 1),
  donor: fc.nat(words.length - 1),
  from: fc.nat(200),
  to: fc.nat(200),
  kind: fc.constantFrom('drop', 'repeat', 'swap', 'replace'),
});

test('each statement translates as it is', () => {
  for (const statement of STATEMENTS) {
    const usable = statement.includes(':doc RETURNING') ? statement.replace(':doc', ':kind') : statement;
    expect(translate(usable, context).steps.length).toBeGreaterThan(0);
  }
});

test('a statement with changed words is translated or refused with an Oracle error, never anything else', () => {
  fc.assert(
    fc.property(mutation, ({ statement, donor, from, to, kind }) => {
      const changed = [...(words[statement] ?? [])];
      const [a, b] = [from % changed.length, to % changed.length];
      const [first = '', second = ''] = [changed[a], changed[b]];
      if (kind === 'drop') {
        changed.splice(a, 1);
      } else if (kind === 'repeat') {
        changed.splice(a, 0, second);
      } else if (kind === 'swap') {
        changed[a] = second;
        changed[b] = first;
      } else {
        changed[a] = words[donor]?.[to % (words[donor]?.length ?? 1)] ?? '';
      }
      try {
        translate(changed.join(' '), context);
      } catch (error) {
        expect(error).toBeInstanceOf(OracleError);
      }
    }),
    { numRuns: 3000, seed: 20_261_130 },
  );
});
