import { inNumber, inText, type StatementCase } from './statement-case.ts';

const names = (...values: readonly string[]): readonly (readonly string[])[] =>
  values.map((value) => [value]);

export const SELECT_CASES: readonly StatementCase[] = [
  {
    title: 'names columns in upper case and filters by a bind',
    sql: 'SELECT o.order_id, o.customer FROM orders o WHERE o.total > :minimum ORDER BY o.order_id',
    binds: [inNumber('MINIMUM', 50)],
    columns: ['ORDER_ID', 'CUSTOMER'],
    rows: [
      [1, 'north'],
      [2, 'south'],
    ],
  },
  {
    title: 'keeps the case of a quoted alias',
    sql: 'SELECT d.name AS "deptName" FROM departments d WHERE d.department_id = 10',
    columns: ['deptName'],
    rows: [['Sales']],
  },
  {
    title: 'matches a quoted upper-case name with the unquoted one',
    sql: 'SELECT "NAME" FROM "DEPARTMENTS" WHERE "DEPARTMENT_ID" = 20',
    columns: ['NAME'],
    rows: [['Research']],
  },
  {
    title: 'names an expression after its text',
    sql: 'SELECT COUNT(*) FROM orders',
    columns: ['COUNT(*)'],
    rows: [[3]],
  },
  {
    title: 'expands a star in the order of the columns',
    sql: 'SELECT d.* FROM departments d WHERE d.department_id = 30',
    columns: ['DEPARTMENT_ID', 'NAME'],
    rows: [[30, 'Archive']],
  },
  {
    title: 'treats an empty literal as NULL',
    sql: "SELECT COUNT(*) AS n FROM orders o WHERE o.customer <> ''",
    rows: [[0]],
  },
  {
    title: 'treats an empty bind as NULL',
    sql: 'SELECT COUNT(*) AS n FROM dual WHERE :value IS NULL',
    binds: [inText('VALUE', '')],
    rows: [[1]],
  },
  {
    title: 'concatenates NULL as nothing',
    sql: "SELECT 'a' || NULL || 'b' || '' AS joined FROM dual",
    rows: [['ab']],
  },
  {
    title: 'sorts NULL last in ascending order',
    sql: 'SELECT e.name FROM employees e ORDER BY e.bonus, e.name',
    rows: names('Dov', 'Ben', 'Ada', 'Cleo', 'Eve'),
  },
  {
    title: 'sorts NULL first in descending order',
    sql: 'SELECT e.name FROM employees e ORDER BY e.bonus DESC, e.name',
    rows: names('Ada', 'Cleo', 'Eve', 'Ben', 'Dov'),
  },
  {
    title: 'obeys NULLS LAST',
    sql: 'SELECT e.name FROM employees e ORDER BY e.bonus DESC NULLS LAST, e.name DESC',
    rows: names('Ben', 'Dov', 'Eve', 'Cleo', 'Ada'),
  },
  {
    title: 'limits rows by a bind',
    sql: 'SELECT e.name FROM employees e ORDER BY e.name FETCH FIRST :n ROWS ONLY',
    binds: [inNumber('N', 2)],
    rows: names('Ada', 'Ben'),
  },
  {
    title: 'skips rows before the limit',
    sql: 'SELECT e.name FROM employees e ORDER BY e.name OFFSET :skip ROWS FETCH NEXT :n ROWS ONLY',
    binds: [inNumber('SKIP', 3), inNumber('N', 5)],
    rows: names('Dov', 'Eve'),
  },
  {
    title: 'keeps ties of the last row',
    sql: 'SELECT COUNT(*) AS n FROM (SELECT e.name FROM employees e ORDER BY e.salary DESC FETCH FIRST 2 ROWS WITH TIES)',
    rows: [[3]],
  },
  {
    title: 'limits by ROWNUM over an ordered in-line view',
    sql: 'SELECT x.name FROM (SELECT e.name FROM employees e ORDER BY e.name DESC) x WHERE ROWNUM <= 2',
    rows: names('Eve', 'Dov'),
  },
  {
    title: 'subtracts sets with MINUS',
    sql: 'SELECT d.department_id FROM departments d MINUS SELECT e.department_id FROM employees e',
    rows: [[30]],
  },
  {
    title: 'intersects sets',
    sql: 'SELECT d.department_id FROM departments d INTERSECT SELECT e.department_id FROM employees e ORDER BY 1',
    rows: [[10], [20]],
  },
  {
    title: 'keeps duplicates in UNION ALL and drops them in UNION',
    sql: "SELECT x.kind, COUNT(*) AS n FROM (SELECT 'all' AS kind, o.customer AS c FROM orders o UNION ALL SELECT 'all', o.customer FROM orders o) x GROUP BY x.kind UNION SELECT 'set', COUNT(*) FROM (SELECT o.customer FROM orders o UNION SELECT o.customer FROM orders o) ORDER BY 1",
    rows: [
      ['all', 6],
      ['set', 2],
    ],
  },
  {
    title: 'joins on the left side',
    sql: 'SELECT d.name, COUNT(e.employee_id) AS n FROM departments d LEFT JOIN employees e ON e.department_id = d.department_id GROUP BY d.name ORDER BY d.name',
    rows: [
      ['Archive', 0],
      ['Research', 2],
      ['Sales', 2],
    ],
  },
  {
    title: 'joins on both sides',
    sql: 'SELECT d.name, e.name AS employee FROM departments d FULL OUTER JOIN employees e ON e.department_id = d.department_id WHERE d.name IS NULL OR e.name IS NULL ORDER BY d.name',
    rows: [
      ['Archive', null],
      [null, 'Eve'],
    ],
  },
  {
    title: 'joins by the names of columns',
    sql: "SELECT department_id, e.name FROM employees e JOIN departments d USING (department_id) WHERE d.name = 'Sales' ORDER BY e.name",
    columns: ['DEPARTMENT_ID', 'NAME'],
    rows: [
      [10, 'Cleo'],
      [10, 'Dov'],
    ],
  },
  {
    title: 'finds nothing with NOT IN over a NULL',
    sql: 'SELECT d.name FROM departments d WHERE d.department_id NOT IN (SELECT e.department_id FROM employees e)',
    rows: [],
  },
  {
    title: 'finds the missing ones with NOT EXISTS',
    sql: 'SELECT d.name FROM departments d WHERE NOT EXISTS (SELECT 1 FROM employees e WHERE e.department_id = d.department_id)',
    rows: names('Archive'),
  },
  {
    title: 'compares a list with a list for equality',
    sql: "SELECT o.order_id FROM orders o WHERE (o.customer, o.state) IN (('north', 'paid'), ('south', 'paid'))",
    rows: [[1]],
  },
  {
    title: 'groups and filters groups',
    sql: 'SELECT o.customer, SUM(o.total) AS total FROM orders o GROUP BY o.customer HAVING COUNT(*) > 1',
    rows: [['north', 140]],
  },
  {
    title: 'aggregates no rows',
    sql: 'SELECT COUNT(*) AS n, SUM(o.total) AS total, MAX(o.customer) AS last_customer FROM orders o WHERE 1 = 0',
    rows: [[0, null, null]],
  },
  {
    title: 'ranks within partitions',
    sql: 'SELECT e.name, RANK() OVER (ORDER BY e.salary DESC) AS place, DENSE_RANK() OVER (ORDER BY e.salary DESC) AS dense, ROW_NUMBER() OVER (PARTITION BY e.department_id ORDER BY e.name) AS rn FROM employees e ORDER BY e.name',
    columns: ['NAME', 'PLACE', 'DENSE', 'RN'],
    rows: [
      ['Ada', 1, 1, 1],
      ['Ben', 2, 2, 2],
      ['Cleo', 2, 2, 1],
      ['Dov', 4, 3, 2],
      ['Eve', 4, 3, 1],
    ],
  },
  {
    title: 'looks at neighbouring rows',
    sql: 'SELECT o.order_id, LAG(o.total) OVER (ORDER BY o.order_id) AS before, LEAD(o.total, 1, 0) OVER (ORDER BY o.order_id) AS after FROM orders o ORDER BY o.order_id',
    rows: [
      [1, null, 250.5],
      [2, 100, 40],
      [3, 250.5, 0],
    ],
  },
  {
    title: 'sums up to the current row',
    sql: 'SELECT o.order_id, SUM(o.total) OVER (ORDER BY o.order_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running FROM orders o ORDER BY o.order_id',
    rows: [
      [1, 100],
      [2, 350.5],
      [3, 390.5],
    ],
  },
  {
    title: 'follows a recursive common table expression',
    sql: 'WITH chain (employee_id, name, depth) AS (SELECT e.employee_id, e.name, 1 FROM employees e WHERE e.manager_id IS NULL UNION ALL SELECT e.employee_id, e.name, c.depth + 1 FROM employees e JOIN chain c ON c.employee_id = e.manager_id) SELECT c.name, c.depth FROM chain c ORDER BY c.depth, c.name',
    rows: [
      ['Ada', 1],
      ['Ben', 2],
      ['Cleo', 2],
      ['Dov', 3],
      ['Eve', 3],
    ],
  },
  {
    title: 'lets one common table expression use another',
    sql: 'WITH large AS (SELECT o.customer, o.total FROM orders o WHERE o.total >= 100), best AS (SELECT MAX(l.total) AS top_total FROM large l) SELECT l.customer FROM large l JOIN best b ON b.top_total = l.total',
    rows: names('south'),
  },
  {
    title: 'takes a scalar subquery in the select list',
    sql: 'SELECT o.order_id, (SELECT COUNT(*) FROM order_lines l WHERE l.order_id = o.order_id) AS line_count FROM orders o ORDER BY o.order_id',
    rows: [
      [1, 2],
      [2, 1],
      [3, 0],
    ],
  },
  {
    title: 'uses one bind in several places',
    sql: 'SELECT o.order_id FROM orders o WHERE o.customer = :word OR o.state = :word ORDER BY o.order_id',
    binds: [inText('WORD', 'paid')],
    rows: [[1]],
  },
  {
    title: 'divides whole numbers exactly',
    sql: 'SELECT 1 / 2 AS half, COUNT(*) / 2 AS middle FROM orders',
    rows: [[0.5, 1.5]],
  },
  {
    title: 'gives LIKE no escape character by itself',
    sql: "SELECT CASE WHEN 'a\\xb' LIKE 'a\\_b' THEN 'wildcard' ELSE 'escaped' END AS meaning FROM dual",
    rows: names('wildcard'),
  },
  {
    title: 'escapes in LIKE when told',
    sql: "SELECT COUNT(*) AS n FROM (SELECT 'a_b' AS v FROM dual UNION ALL SELECT 'axb' FROM dual) x WHERE x.v LIKE 'a!_b' ESCAPE '!'",
    rows: [[1]],
  },
  {
    title: 'distinguishes case in comparisons',
    sql: "SELECT COUNT(*) AS n FROM tags t WHERE t.name = 'RED'",
    rows: [[0]],
  },
  {
    title: 'includes both ends of BETWEEN',
    sql: 'SELECT o.order_id FROM orders o WHERE o.total BETWEEN 40 AND 100 ORDER BY o.total',
    rows: [[3], [1]],
  },
  {
    title: 'removes duplicates',
    sql: 'SELECT DISTINCT o.customer FROM orders o ORDER BY o.customer',
    rows: names('north', 'south'),
  },
  {
    title: 'locks the rows it returns',
    sql: "SELECT o.order_id FROM orders o WHERE o.state = 'paid' FOR UPDATE SKIP LOCKED",
    rows: [[1]],
  },
  {
    title: 'locks without waiting, ordered',
    sql: 'SELECT o.order_id FROM orders o WHERE o.total < 200 ORDER BY o.order_id DESC FOR UPDATE NOWAIT',
    rows: [[3], [1]],
  },
  {
    title: 'compares moments across time zones',
    sql: "SELECT o.order_id FROM orders o WHERE o.placed_at = TIMESTAMP '2026-01-02 08:00:00 +00:00'",
    rows: [[2]],
  },
  {
    title: 'pages by key',
    sql: 'SELECT o.order_id FROM orders o WHERE o.total < :total OR (o.total = :total AND o.order_id > :order_id) ORDER BY o.total DESC, o.order_id',
    binds: [inNumber('TOTAL', 250.5), inNumber('ORDER_ID', 2)],
    rows: [[1], [3]],
  },
  {
    title: 'searches a CASE expression for the first true branch',
    sql: "SELECT o.order_id, CASE o.state WHEN 'paid' THEN 'done' ELSE 'open' END AS progress FROM orders o ORDER BY 1",
    rows: [
      [1, 'done'],
      [2, 'open'],
      [3, 'open'],
    ],
  },
  {
    title: 'orders by an alias',
    sql: 'SELECT e.name, e.salary * 12 AS yearly FROM employees e WHERE e.department_id = 20 ORDER BY yearly',
    rows: [
      ['Ben', 6000],
      ['Ada', 10800],
    ],
  },
  {
    title: 'joins each row with a correlated in-line view',
    sql: 'SELECT o.order_id, l.amount FROM orders o CROSS APPLY (SELECT SUM(x.amount) AS amount FROM order_lines x WHERE x.order_id = o.order_id) l ORDER BY o.order_id',
    rows: [
      [1, 3],
      [2, 1],
      [3, null],
    ],
  },
  {
    title: 'reads comments and hints as nothing',
    sql: 'SELECT /*+ FULL(o) */ COUNT(*) AS n -- all of them\nFROM orders o',
    rows: [[3]],
  },
  {
    title: 'reads alternative quoting',
    sql: `SELECT q'[it's "here"]' AS said, 'it''s' AS doubled FROM dual`,
    rows: [[`it's "here"`, "it's"]],
  },
  { title: 'needs no FROM', sql: 'SELECT 1 + 1 AS two', rows: [[2]], beyondGrammar: true },
  {
    title: 'groups by an alias',
    sql: 'SELECT o.state AS s, COUNT(*) AS n FROM orders o GROUP BY s ORDER BY s',
    rows: [
      ['new', 2],
      ['paid', 1],
    ],
  },
  {
    title: 'numbers rows by ROWNUM before it sorts them',
    sql: 'SELECT o.order_id FROM orders o WHERE ROWNUM <= 2 ORDER BY o.order_id DESC',
    rows: [[2], [1]],
  },
  {
    title: 'converts text to the type of the column it is compared with',
    sql: "SELECT o.order_id FROM orders o WHERE o.order_id = '2'",
    rows: [[2]],
  },
  {
    title: 'is neither true nor false when compared with NULL',
    sql: 'SELECT COUNT(*) AS n FROM orders o WHERE o.total = NULL OR NOT (o.total = NULL) OR o.total NOT IN (1, NULL)',
    rows: [[0]],
  },
  {
    title: 'orders groups by an aggregate',
    sql: 'SELECT o.customer FROM orders o GROUP BY o.customer ORDER BY SUM(o.total) DESC',
    rows: names('south', 'north'),
  },
  {
    title: 'returns no rows for a limit of zero or less',
    sql: 'SELECT o.order_id FROM orders o FETCH FIRST -1 ROWS ONLY',
    rows: [],
  },
  {
    title: 'returns the rest after an offset',
    sql: 'SELECT o.order_id FROM orders o ORDER BY o.order_id OFFSET 2 ROWS',
    rows: [[3]],
  },
  {
    title: 'takes windows over the whole result',
    sql: 'SELECT o.order_id, COUNT(*) OVER () AS n, FIRST_VALUE(o.customer) OVER (ORDER BY o.total) AS cheapest, NTILE(2) OVER (ORDER BY o.total) AS half FROM orders o ORDER BY o.order_id',
    rows: [
      [1, 3, 'north', 1],
      [2, 3, 'north', 2],
      [3, 3, 'north', 1],
    ],
  },
  {
    title: 'expands a qualified star beside other columns',
    sql: 'SELECT d.*, 1 AS one FROM departments d WHERE d.department_id = 10',
    columns: ['DEPARTMENT_ID', 'NAME', 'ONE'],
    rows: [[10, 'Sales', 1]],
  },
  {
    title: 'compares a list with the row of a subquery',
    sql: "SELECT o.order_id FROM orders o WHERE (o.order_id, o.customer) = (SELECT 1, 'north' FROM dual)",
    rows: [[1]],
  },
  {
    title: 'compares with all values of a subquery',
    sql: 'SELECT o.order_id FROM orders o WHERE o.total > ALL (SELECT x.total FROM orders x WHERE x.customer <> o.customer) ORDER BY o.order_id',
    rows: [[2]],
  },
  {
    title: 'joins three tables in order',
    sql: 'SELECT e.name FROM employees e INNER JOIN departments d ON d.department_id = e.department_id LEFT JOIN orders o ON o.order_id = e.employee_id WHERE o.order_id IS NULL',
    rows: names('Dov'),
  },
  {
    title: 'gives NULL the type of the other branch of a union',
    sql: "SELECT x.v FROM (SELECT NULL AS v FROM dual UNION ALL SELECT 'x' FROM dual) x ORDER BY x.v",
    rows: [['x'], [null]],
  },
  {
    title: 'sums over a range of equal and smaller keys',
    sql: 'SELECT e.name, SUM(e.salary) OVER (ORDER BY e.salary) AS running FROM employees e ORDER BY e.name',
    rows: [
      ['Ada', 2500],
      ['Ben', 1600],
      ['Cleo', 1600],
      ['Dov', 600],
      ['Eve', 600],
    ],
  },
  {
    title: 'adds decimal fractions exactly',
    sql: 'SELECT 0.1 + 0.2 AS v FROM dual',
    rows: [[0.3]],
  },
  {
    title: 'finds nothing like NULL',
    sql: 'SELECT o.order_id FROM orders o WHERE o.customer LIKE :pattern',
    binds: [inText('PATTERN', '')],
    rows: [],
  },
];
