import { expect } from 'vitest';
import {
  inClob,
  inNumber,
  inText,
  outNumber,
  outText,
  type StatementCase,
  SYNTAX_ERRORS,
} from './statement-case.ts';

export const DML_CASES: readonly StatementCase[] = [
  {
    title: 'inserts a row and fills defaults',
    sql: 'INSERT INTO orders (order_id, customer) VALUES (:order_id, :customer)',
    binds: [inNumber('ORDER_ID', 10), inText('CUSTOMER', 'west')],
    affected: 1,
    afterwards: {
      sql: 'SELECT o.state, o.total, o.version, o.note FROM orders o WHERE o.order_id = 10',
      rows: [['new', 0, 1, null]],
    },
  },
  {
    title: 'inserts several rows of values',
    sql: "INSERT INTO tags (name) VALUES ('one'), ('two'), ('three')",
    affected: 3,
  },
  {
    title: 'inserts what a query finds',
    sql: "INSERT INTO order_lines (order_id, position, sku, amount) SELECT o.order_id, 9, 'gift', 1 FROM orders o WHERE o.customer = 'north'",
    affected: 2,
  },
  {
    title: 'inserts only what is absent',
    sql: 'INSERT INTO departments (department_id, name) SELECT :id, :name FROM dual WHERE NOT EXISTS (SELECT 1 FROM departments d WHERE d.department_id = :id)',
    binds: [inNumber('ID', 10), inText('NAME', 'Twice')],
    affected: 0,
  },
  {
    title: 'inserts rows of a JSON document',
    sql: "INSERT INTO order_lines (order_id, position, sku, amount) SELECT :order_id, j.ord, j.sku, j.amount FROM JSON_TABLE(:lines, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', amount NUMBER PATH '$.amount')) j",
    binds: [inNumber('ORDER_ID', 3), inClob('LINES', '[{"sku":"cup","amount":4},{"sku":"tea","amount":2}]')],
    affected: 2,
    afterwards: {
      sql: 'SELECT l.position, l.sku, l.amount FROM order_lines l WHERE l.order_id = 3 ORDER BY l.position',
      rows: [
        [1, 'cup', 4],
        [2, 'tea', 2],
      ],
    },
  },
  {
    title: 'returns the generated key',
    sql: 'INSERT INTO tags (name) VALUES (:name) RETURNING tag_id, name INTO :tag_id, :stored',
    binds: [inText('NAME', 'amber'), outNumber('TAG_ID'), outText('STORED')],
    affected: 1,
    out: { TAG_ID: [expect.any(Number)], STORED: ['amber'] },
  },
  {
    title: 'rounds to the scale of the column',
    sql: "INSERT INTO orders (order_id, customer, total) VALUES (10, 'west', 1.005)",
    affected: 1,
    afterwards: { sql: 'SELECT o.total FROM orders o WHERE o.order_id = 10', rows: [[1.01]] },
  },
  {
    title: 'keeps text of 4-byte characters',
    sql: 'INSERT INTO departments (department_id, name) VALUES (41, :name)',
    binds: [inText('NAME', '😀'.repeat(30))],
    affected: 1,
    afterwards: {
      sql: 'SELECT LENGTH(d.name) AS n, LENGTHB(d.name) AS b FROM departments d WHERE d.department_id = 41',
      rows: [[30, 120]],
    },
  },
  {
    title: 'updates by an alias',
    sql: "UPDATE orders o SET o.total = o.total * 2, o.state = 'open' WHERE o.customer = 'north'",
    affected: 2,
    afterwards: { sql: "SELECT SUM(o.total) AS total FROM orders o WHERE o.state = 'open'", rows: [[280]] },
  },
  {
    title: 'updates nothing without an error',
    sql: "UPDATE orders SET total = 1 WHERE customer = 'nobody'",
    affected: 0,
  },
  {
    title: 'updates two columns from a subquery',
    sql: 'UPDATE orders o SET (o.total, o.version) = (SELECT NVL(SUM(l.amount), 0), COUNT(*) + 10 FROM order_lines l WHERE l.order_id = o.order_id) WHERE o.order_id = 1',
    affected: 1,
    afterwards: { sql: 'SELECT o.total, o.version FROM orders o WHERE o.order_id = 1', rows: [[3, 12]] },
  },
  {
    title: 'swaps columns by their old values',
    sql: 'UPDATE order_lines l SET l.position = l.amount + 10, l.amount = l.position WHERE l.order_id = 1',
    affected: 2,
    afterwards: {
      sql: 'SELECT l.position, l.amount FROM order_lines l WHERE l.order_id = 1 ORDER BY l.position',
      rows: [
        [11, 2],
        [12, 1],
      ],
    },
  },
  {
    title: 'returns the new value of an update',
    sql: 'UPDATE orders o SET o.version = o.version + 1 WHERE o.order_id = :order_id RETURNING o.version INTO :version',
    binds: [inNumber('ORDER_ID', 3), outNumber('VERSION')],
    affected: 1,
    out: { VERSION: [3] },
  },
  {
    title: 'returns a value for each row',
    sql: "UPDATE orders o SET o.version = 7 WHERE o.customer = 'north' RETURNING o.order_id INTO :changed",
    binds: [outNumber('CHANGED')],
    affected: 2,
    out: { CHANGED: expect.arrayContaining([1, 3]) },
  },
  {
    title: 'returns nothing when no row matches',
    sql: "UPDATE orders o SET o.version = 7 WHERE o.customer = 'nobody' RETURNING o.order_id INTO :changed",
    binds: [outNumber('CHANGED')],
    affected: 0,
    out: { CHANGED: [] },
  },
  {
    title: 'guards an update by a version',
    sql: 'UPDATE orders SET total = 5, version = version + 1 WHERE order_id = 3 AND version = :version',
    binds: [inNumber('VERSION', 1)],
    affected: 0,
  },
  { title: 'deletes without FROM', sql: "DELETE orders o WHERE o.customer = 'south'", affected: 1 },
  {
    title: 'deletes dependent rows with their parent',
    sql: 'DELETE FROM orders WHERE order_id = 1',
    affected: 1,
    afterwards: { sql: 'SELECT COUNT(*) AS n FROM order_lines', rows: [[1]] },
  },
  {
    title: 'deletes a bounded number of rows',
    sql: 'DELETE FROM order_lines WHERE amount > 0 AND ROWNUM <= 2',
    affected: 2,
  },
  {
    title: 'returns what was deleted',
    sql: 'DELETE FROM tags t WHERE t.name = :name RETURNING t.code INTO :code',
    binds: [inText('NAME', 'green'), outText('CODE')],
    affected: 1,
    out: { CODE: ['g'] },
  },
  {
    title: 'allows several NULLs in a unique column',
    setup: ["INSERT INTO tags (code) VALUES ('a')"],
    sql: "INSERT INTO tags (name, code) VALUES ('', 'b')",
    affected: 1,
  },
  {
    title: 'a NULL bind clears a column',
    sql: 'UPDATE orders SET note = :note WHERE order_id = 1',
    binds: [inText('NOTE', '')],
    affected: 1,
    afterwards: { sql: 'SELECT o.order_id FROM orders o WHERE o.note IS NULL ORDER BY 1', rows: [[1], [2]] },
  },
  {
    title: 'an empty text is no value for a NOT NULL column',
    sql: "INSERT INTO departments (department_id, name) VALUES (50, '')",
    error: 1400,
  },
  {
    title: 'a missing value for a NOT NULL column',
    sql: 'INSERT INTO departments (department_id) VALUES (50)',
    error: 1400,
  },
  {
    title: 'an update to NULL of a NOT NULL column',
    sql: 'UPDATE departments SET name = NULL WHERE department_id = 10',
    error: 1407,
  },
  {
    title: 'a duplicate key',
    sql: "INSERT INTO departments (department_id, name) VALUES (10, 'Again')",
    error: 1,
  },
  { title: 'a duplicate in a unique column', sql: "INSERT INTO tags (name) VALUES ('red')", error: 1 },
  {
    title: 'a missing parent',
    sql: "INSERT INTO order_lines (order_id, position, sku, amount) VALUES (99, 1, 'x', 1)",
    error: 2291,
  },
  {
    title: 'a parent that still has children',
    sql: 'DELETE FROM departments WHERE department_id = 10',
    error: 2292,
  },
  { title: 'a violated check', sql: 'UPDATE orders SET total = -1 WHERE order_id = 1', error: 2290 },
  {
    title: 'text with too many characters',
    sql: "INSERT INTO tags (name) VALUES ('eleven char')",
    error: 12899,
  },
  {
    title: 'text with too many bytes',
    sql: "INSERT INTO tags (name, code) VALUES ('bytes', 'ééé')",
    error: 12899,
  },
  {
    title: 'a number above the precision',
    sql: 'UPDATE employees SET bonus = 1000 WHERE employee_id = 1',
    error: 1438,
  },
  {
    title: 'text that is no number',
    sql: "UPDATE orders SET total = 'many' WHERE order_id = 1",
    error: 1722,
  },
  { title: 'too few values', sql: 'INSERT INTO departments (department_id, name) VALUES (60)', error: 947 },
  { title: 'too many values', sql: "INSERT INTO departments (department_id) VALUES (60, 'x')", error: 913 },
  {
    title: 'a subquery of several rows',
    sql: 'UPDATE orders o SET o.total = (SELECT l.amount FROM order_lines l WHERE l.order_id = 1) WHERE o.order_id = 1',
    error: 1427,
  },
  {
    title: 'a column named twice',
    sql: 'INSERT INTO departments (department_id, department_id) VALUES (60, 61)',
    error: 957,
  },
  { title: 'an unknown column', sql: 'UPDATE orders SET colour = 1 WHERE order_id = 1', error: 904 },
  { title: 'an unknown table', sql: 'DELETE FROM unknown_things', error: 942 },
  { title: 'a bind without a value', sql: 'DELETE FROM orders WHERE order_id = :missing', error: 1008 },
  {
    title: 'converts text to the types of the columns',
    sql: "INSERT INTO orders (order_id, customer, total) VALUES ('61', 'west', '12.5')",
    affected: 1,
    afterwards: { sql: 'SELECT o.order_id, o.total FROM orders o WHERE o.order_id = 61', rows: [[61, 12.5]] },
  },
  {
    title: 'takes DEFAULT as a value',
    sql: "INSERT INTO orders VALUES (60, 'west', DEFAULT, DEFAULT, NULL, NULL, DEFAULT)",
    affected: 1,
    afterwards: { sql: 'SELECT o.state, o.version FROM orders o WHERE o.order_id = 60', rows: [['new', 1]] },
  },
  {
    title: 'cuts the fraction of a second for a date',
    sql: "INSERT INTO employees (employee_id, name, hired) VALUES (9, 'Fay', DATE '2026-01-01' + 0.75)",
    affected: 1,
    afterwards: {
      sql: "SELECT TO_CHAR(e.hired, 'HH24:MI:SS') AS hired FROM employees e WHERE e.employee_id = 9",
      rows: [['18:00:00']],
    },
  },
  {
    title: 'deletes what a limited subquery finds',
    sql: 'DELETE FROM orders WHERE order_id IN (SELECT o.order_id FROM orders o ORDER BY o.total DESC FETCH FIRST 1 ROWS ONLY)',
    affected: 1,
    afterwards: { sql: 'SELECT COUNT(*) AS n FROM orders o WHERE o.order_id = 2', rows: [[0]] },
  },
  {
    title: 'an explicit NULL does not take the default',
    sql: "INSERT INTO orders (order_id, customer, state) VALUES (60, 'west', NULL)",
    error: 1400,
  },
  {
    title: 'NULL for an identity column without ON NULL',
    sql: "INSERT INTO tags (tag_id, name) VALUES (NULL, 'x')",
    error: 1400,
  },
  {
    title: 'a number that rounds above the precision',
    sql: 'UPDATE employees SET bonus = 999.995 WHERE employee_id = 1',
    error: 1438,
  },
  {
    title: 'a date in text of another format',
    sql: "INSERT INTO employees (employee_id, name, hired) VALUES (9, 'Fay', '2026-01-01')",
    error: [1843, 1861],
  },
  {
    title: 'RETURNING after a query',
    sql: "INSERT INTO tags (name) SELECT 'x' FROM dual RETURNING tag_id INTO :id",
    binds: [outNumber('ID')],
    error: [933, 3049],
  },
  {
    title: 'two columns set to two values',
    sql: 'UPDATE orders SET (total, version) = (1, 2) WHERE order_id = 1',
    error: [1767, ...SYNTAX_ERRORS],
  },
  {
    title: 'a key that others refer to',
    sql: 'UPDATE departments SET department_id = 11 WHERE department_id = 10',
    error: 2292,
  },
];

/** Several statements in one session: what a transaction keeps. The last statement is the one that is compared. */
export const TRANSACTION_CASES: readonly StatementCase[] = [
  {
    title: 'a rollback undoes',
    setup: ["INSERT INTO tags (name) VALUES ('gone')", 'ROLLBACK'],
    sql: "SELECT COUNT(*) AS n FROM tags t WHERE t.name = 'gone'",
    rows: [[0]],
  },
  {
    title: 'DDL commits what came before it',
    setup: [
      'CREATE TABLE committed_by_ddl (id NUMBER)',
      'INSERT INTO committed_by_ddl VALUES (1)',
      'CREATE TABLE commits_others (id NUMBER)',
      'ROLLBACK',
    ],
    sql: 'SELECT COUNT(*) AS n FROM committed_by_ddl',
    rows: [[1]],
  },
  {
    title: 'a commit is final',
    setup: [
      'CREATE TABLE committed_rows (id NUMBER)',
      'INSERT INTO committed_rows VALUES (1)',
      'COMMIT',
      'ROLLBACK',
    ],
    sql: 'SELECT COUNT(*) AS n FROM committed_rows',
    rows: [[1]],
  },
  {
    title: 'a failed statement undoes only itself',
    setup: ["INSERT INTO tags (name) VALUES ('first')"],
    sql: 'INSERT INTO tags (name) SELECT t.name FROM tags t',
    error: 1,
    afterwards: { sql: "SELECT COUNT(*) AS n FROM tags t WHERE t.name = 'first'", rows: [[1]] },
  },
];
