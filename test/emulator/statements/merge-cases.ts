import { inClob, inNumber, inText, type StatementCase, SYNTAX_ERRORS } from './statement-case.ts';

const ordersAfter = (rows: readonly (readonly unknown[])[]): StatementCase['afterwards'] => ({
  sql: 'SELECT o.order_id, o.customer, o.total FROM orders o ORDER BY o.order_id',
  rows,
});

export const MERGE_CASES: readonly StatementCase[] = [
  {
    title: 'updates what matches and inserts the rest',
    sql: 'MERGE INTO orders o USING (SELECT 1 AS id, 11 AS total FROM dual UNION ALL SELECT 4, 44 FROM dual) n ON (o.order_id = n.id) WHEN MATCHED THEN UPDATE SET o.total = n.total WHEN NOT MATCHED THEN INSERT (order_id, customer, total) VALUES (n.id, :customer, n.total)',
    binds: [inText('CUSTOMER', 'east')],
    affected: 2,
    afterwards: ordersAfter([
      [1, 'north', 11],
      [2, 'south', 250.5],
      [3, 'north', 40],
      [4, 'east', 44],
    ]),
  },
  {
    title: 'only updates',
    sql: 'MERGE INTO orders o USING (SELECT l.order_id, COUNT(*) AS n FROM order_lines l GROUP BY l.order_id) x ON (x.order_id = o.order_id) WHEN MATCHED THEN UPDATE SET o.total = x.n',
    affected: 2,
    afterwards: ordersAfter([
      [1, 'north', 2],
      [2, 'south', 1],
      [3, 'north', 40],
    ]),
  },
  {
    title: 'only inserts',
    sql: 'MERGE INTO departments d USING (SELECT :id AS id, :name AS name FROM dual) n ON (d.department_id = n.id) WHEN NOT MATCHED THEN INSERT (department_id, name) VALUES (n.id, n.name)',
    binds: [inNumber('ID', 10), inText('NAME', 'Other')],
    affected: 0,
  },
  {
    title: 'updates only where a condition holds',
    sql: 'MERGE INTO orders o USING (SELECT 1 AS one FROM dual) n ON (n.one = 1) WHEN MATCHED THEN UPDATE SET o.total = 0 WHERE o.total < 100',
    affected: 1,
    afterwards: ordersAfter([
      [1, 'north', 100],
      [2, 'south', 250.5],
      [3, 'north', 0],
    ]),
  },
  {
    title: 'deletes updated rows that then fulfil a condition',
    sql: 'MERGE INTO orders o USING (SELECT 3 AS id, 0 AS total FROM dual UNION ALL SELECT 2, 5 FROM dual) n ON (o.order_id = n.id) WHEN MATCHED THEN UPDATE SET o.total = n.total DELETE WHERE o.total = 0',
    afterwards: ordersAfter([
      [1, 'north', 100],
      [2, 'south', 5],
    ]),
  },
  {
    title: 'inserts only where a condition holds',
    sql: "MERGE INTO departments d USING (SELECT 40 AS id FROM dual UNION ALL SELECT 41 FROM dual) n ON (d.department_id = n.id) WHEN NOT MATCHED THEN INSERT (department_id, name) VALUES (n.id, 'New') WHERE n.id > 40",
    affected: 1,
  },
  {
    title: 'merges the rows of a JSON document',
    sql: "MERGE INTO departments d USING (SELECT j.id, j.name FROM JSON_TABLE(:rows_json, '$[*]' COLUMNS (id NUMBER PATH '$.id', name VARCHAR2(30 CHAR) PATH '$.name')) j) n ON (d.department_id = n.id) WHEN MATCHED THEN UPDATE SET d.name = n.name WHEN NOT MATCHED THEN INSERT (department_id, name) VALUES (n.id, n.name)",
    binds: [inClob('ROWS_JSON', '[{"id":10,"name":"Sold"},{"id":40,"name":"Added"}]')],
    affected: 2,
    afterwards: {
      sql: 'SELECT d.department_id, d.name FROM departments d WHERE d.department_id IN (10, 40) ORDER BY 1',
      rows: [
        [10, 'Sold'],
        [40, 'Added'],
      ],
    },
  },
  {
    title: 'refuses to update a column of the ON condition',
    sql: 'MERGE INTO orders o USING (SELECT 1 AS id FROM dual) n ON (o.order_id = n.id) WHEN MATCHED THEN UPDATE SET o.order_id = 5',
    error: 38104,
  },
  {
    title: 'refuses to update a row twice',
    sql: 'MERGE INTO orders o USING (SELECT 1 AS id, 5 AS total FROM dual UNION ALL SELECT 1, 6 FROM dual) n ON (o.order_id = n.id) WHEN MATCHED THEN UPDATE SET o.total = n.total',
    error: 30926,
  },
  {
    title: 'refuses an inserted duplicate',
    sql: "MERGE INTO tags t USING (SELECT 'red' AS name FROM dual) n ON (t.code = n.name) WHEN NOT MATCHED THEN INSERT (name) VALUES (n.name)",
    error: 1,
  },
  {
    title: 'takes its branches in any order',
    sql: "MERGE INTO tags t USING (SELECT 'red' AS name FROM dual) n ON (t.name = n.name) WHEN NOT MATCHED THEN INSERT (name) VALUES (n.name) WHEN MATCHED THEN UPDATE SET t.code = 'r'",
    affected: 1,
  },
  {
    title: 'refuses to delete what it does not update',
    sql: 'MERGE INTO tags t USING tags s ON (t.tag_id = s.tag_id) WHEN MATCHED THEN DELETE',
    error: SYNTAX_ERRORS,
  },
  {
    title: 'refuses NULL in a mandatory column that it updates',
    sql: 'MERGE INTO orders o USING dual ON (o.order_id = 1) WHEN MATCHED THEN UPDATE SET o.customer = NULL',
    error: 1407,
  },
];
