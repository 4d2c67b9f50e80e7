import { outNumber, type StatementCase } from './statement-case.ts';

const NOT_IMPLEMENTED = 3001;

/** Oracle takes these; the emulator does not know them and says so, so that no test passes by accident. */
const unsupported = (
  title: string,
  sql: string,
  error: StatementCase['error'] = NOT_IMPLEMENTED,
): StatementCase => ({
  title,
  sql,
  error,
});

export const UNSUPPORTED_CASES: readonly StatementCase[] = [
  unsupported(
    'a hierarchical query',
    'SELECT e.name FROM employees e START WITH e.manager_id IS NULL CONNECT BY PRIOR e.employee_id = e.manager_id',
    [933, NOT_IMPLEMENTED],
  ),
  unsupported(
    'the outer join operator',
    'SELECT d.name, e.name AS employee FROM departments d, employees e WHERE e.department_id (+) = d.department_id',
  ),
  unsupported(
    'PIVOT',
    "SELECT * FROM (SELECT o.customer, o.total FROM orders o) PIVOT (SUM(total) FOR customer IN ('north' AS north, 'south' AS south))",
  ),
  unsupported(
    'KEEP after an aggregate',
    'SELECT MAX(e.name) KEEP (DENSE_RANK FIRST ORDER BY e.salary DESC) AS best_paid FROM employees e',
  ),
  unsupported('a sample of rows', 'SELECT o.order_id FROM orders SAMPLE (10) o', [933, NOT_IMPLEMENTED]),
  unsupported(
    'rows as of an earlier moment',
    "SELECT o.order_id FROM orders AS OF TIMESTAMP (SYSTIMESTAMP - INTERVAL '1' HOUR) o",
    [933, NOT_IMPLEMENTED],
  ),
  unsupported('ROWNUM from below', 'SELECT o.order_id FROM orders o WHERE ROWNUM > 1'),
  unsupported('a table of another schema', 'SELECT o.order_id FROM shop.orders o'),
  unsupported(
    'an insert into several tables',
    "INSERT ALL INTO departments (department_id, name) VALUES (40, 'West') INTO tags (name) VALUES ('west') SELECT 1 FROM dual",
  ),
  unsupported(
    'an update with FROM',
    'UPDATE orders o SET o.total = d.department_id FROM departments d WHERE d.department_id = o.order_id',
    [933, NOT_IMPLEMENTED],
  ),
  {
    title: 'RETURNING in MERGE',
    sql: 'MERGE INTO orders o USING (SELECT 1 AS id FROM dual) n ON (o.order_id = n.id) WHEN MATCHED THEN UPDATE SET o.total = 1 RETURNING o.total INTO :total',
    binds: [outNumber('TOTAL')],
    error: NOT_IMPLEMENTED,
  },
  unsupported('a savepoint', 'SAVEPOINT before_second'),
  unsupported('a rollback to a savepoint', 'ROLLBACK TO SAVEPOINT before_second', [933, NOT_IMPLEMENTED]),
  unsupported('a read-only transaction', 'SET TRANSACTION READ ONLY'),
  unsupported('a table lock', 'LOCK TABLE orders IN EXCLUSIVE MODE'),
  unsupported('a grant', 'GRANT SELECT ON orders TO reader'),
  unsupported('a session parameter', "ALTER SESSION SET NLS_DATE_FORMAT = 'YYYY-MM-DD'"),
  unsupported('a package', 'CREATE OR REPLACE PACKAGE twice IS PROCEDURE one; END;'),
  unsupported('a temporary table', 'CREATE GLOBAL TEMPORARY TABLE scratch (id NUMBER) ON COMMIT DELETE ROWS'),
  unsupported(
    'a partitioned table',
    'CREATE TABLE parts (id NUMBER) PARTITION BY RANGE (id) (PARTITION p1 VALUES LESS THAN (10))',
    [922, 933, NOT_IMPLEMENTED],
  ),
  unsupported(
    'a materialized view',
    'CREATE MATERIALIZED VIEW order_totals AS SELECT o.customer, SUM(o.total) AS total FROM orders o GROUP BY o.customer',
  ),
  unsupported(
    'a multivalue index',
    'CREATE MULTIVALUE INDEX documents_tags ON documents d (d.body.tags.string())',
  ),
  unsupported(
    'a hybrid vector index',
    "CREATE HYBRID VECTOR INDEX articles_hybrid ON articles (body) PARAMETERS ('MODEL m')",
  ),
  unsupported('an execution plan', 'EXPLAIN PLAN FOR SELECT o.order_id FROM orders o'),
  unsupported('a member of a JSON column by dots', 'SELECT d.body.color AS color FROM documents d', [
    904,
    NOT_IMPLEMENTED,
  ]),
  unsupported('a commit inside a block', "BEGIN INSERT INTO tags (name) VALUES ('x'); COMMIT; END;", [
    NOT_IMPLEMENTED,
    6550,
  ]),
  unsupported(
    'a cursor',
    'DECLARE CURSOR c IS SELECT o.order_id FROM orders o; BEGIN OPEN c; CLOSE c; END;',
    [NOT_IMPLEMENTED, 6550],
  ),
  unsupported('a call of a package', "BEGIN DBMS_OUTPUT.PUT_LINE('x'); END;", [NOT_IMPLEMENTED, 6550]),
  unsupported(
    'subtotals',
    'SELECT o.customer, SUM(o.total) AS total FROM orders o GROUP BY ROLLUP (o.customer)',
  ),
  unsupported(
    'a share of the rows',
    'SELECT e.name FROM employees e ORDER BY e.name FETCH FIRST 40 PERCENT ROWS ONLY',
  ),
  unsupported('numbered rows without a table', 'SELECT LEVEL AS n FROM dual CONNECT BY LEVEL <= 3'),
  unsupported('the address of a row', 'SELECT ROWID FROM orders'),
  unsupported(
    'the address of a row of an alias',
    'SELECT o.order_id FROM orders o WHERE o.ROWID IS NOT NULL',
  ),
  unsupported(
    'a condition that is unknown or false',
    'SELECT o.order_id FROM orders o WHERE LNNVL(o.total > 1)',
  ),
  unsupported('a function of a package', 'SELECT DBMS_RANDOM.VALUE(1, 2) AS n FROM dual'),
  unsupported('a function of a package without a list', 'SELECT DBMS_RANDOM.VALUE AS n FROM dual'),
  unsupported('a function that the emulator lacks', "SELECT DUMP('x') AS d FROM dual"),
  unsupported('an aggregate that the emulator lacks', 'SELECT ANY_VALUE(o.customer) AS c FROM orders o'),
  unsupported(
    'a percentile',
    'SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY o.total) AS middle FROM orders o',
  ),
  unsupported(
    'distinct values in a window',
    'SELECT COUNT(DISTINCT o.customer) OVER () AS customers FROM orders o',
  ),
  unsupported(
    'a hybrid vector index',
    "CREATE HYBRID VECTOR INDEX articles_hybrid ON articles (body) PARAMETERS ('MODEL my_model')",
  ),
  unsupported(
    'a search of a hybrid vector index',
    `SELECT DBMS_HYBRID_VECTOR.SEARCH(JSON('{"hybrid_index_name":"ARTICLES_HYBRID","search_text":"oak"}')) AS hits FROM dual`,
  ),
  unsupported('XML', 'SELECT XMLELEMENT("order", o.order_id) AS x FROM orders o'),
];
