import {
  inClob,
  inNumber,
  inOut,
  inText,
  outClob,
  outNumber,
  outText,
  type StatementCase,
} from './statement-case.ts';
import { jsonText } from './value-matchers.ts';

const tagCount = (rows: number): StatementCase['afterwards'] => ({
  sql: "SELECT COUNT(*) AS n FROM tags t WHERE t.name LIKE 'blk%'",
  rows: [[rows]],
});

export const BLOCK_CASES: readonly StatementCase[] = [
  {
    title: 'assigns OUT binds',
    sql: "BEGIN :answer := 6 * 7; :word := 'a' || NULL || 'b'; END;",
    binds: [outNumber('ANSWER'), outText('WORD')],
    out: { ANSWER: 42, WORD: 'ab' },
  },
  {
    title: 'reads and writes an IN OUT bind',
    sql: 'BEGIN :n := :n + 1; END;',
    binds: [inOut('N', 4)],
    out: { N: 5 },
  },
  {
    title: 'keeps values in local variables',
    sql: 'DECLARE l_base NUMBER := :base; l_total NUMBER; BEGIN l_total := l_base * 2; l_total := l_total + 1; :total := l_total; END;',
    binds: [inNumber('BASE', 10), outNumber('TOTAL')],
    out: { TOTAL: 21 },
  },
  { title: 'does nothing', sql: 'BEGIN NULL; END;' },
  {
    title: 'selects into an OUT bind',
    sql: 'BEGIN SELECT o.customer, o.total INTO :customer, :total FROM orders o WHERE o.order_id = :order_id; END;',
    binds: [inNumber('ORDER_ID', 2), outText('CUSTOMER'), outNumber('TOTAL')],
    out: { CUSTOMER: 'south', TOTAL: 250.5 },
  },
  {
    title: 'selects into a variable and uses it in DML',
    sql: 'DECLARE l_total NUMBER; BEGIN SELECT SUM(o.total) INTO l_total FROM orders o; UPDATE orders o SET o.total = l_total WHERE o.order_id = 3; END;',
    afterwards: { sql: 'SELECT o.total FROM orders o WHERE o.order_id = 3', rows: [[390.5]] },
  },
  {
    title: 'counts the rows of the last statement',
    sql: "BEGIN UPDATE orders o SET o.version = 9 WHERE o.customer = 'north'; :updated := SQL%ROWCOUNT; DELETE FROM order_lines l WHERE l.order_id = 77; :deleted := SQL%ROWCOUNT; END;",
    binds: [outNumber('UPDATED'), outNumber('DELETED')],
    out: { UPDATED: 2, DELETED: 0 },
  },
  {
    title: 'returns a value into a variable',
    sql: 'DECLARE l_version NUMBER; BEGIN UPDATE orders o SET o.version = o.version + 1 WHERE o.order_id = 3 RETURNING o.version INTO l_version; :version := l_version; END;',
    binds: [outNumber('VERSION')],
    out: { VERSION: 3 },
  },
  {
    title: 'leaves a variable NULL when RETURNING finds no row',
    sql: "DECLARE l_version NUMBER := 5; BEGIN UPDATE orders o SET o.version = 1 WHERE o.order_id = 77 RETURNING o.version INTO l_version; IF SQL%ROWCOUNT = 0 THEN :outcome := 'none'; ELSE :outcome := 'some'; END IF; END;",
    binds: [outText('OUTCOME')],
    out: { OUTCOME: 'none' },
  },
  {
    title: 'branches with IF, ELSIF and ELSE',
    sql: "DECLARE l_n NUMBER := :n; BEGIN IF l_n < 10 THEN :size_class := 'small'; ELSIF l_n < 100 AND NOT l_n = 50 THEN :size_class := 'middling'; ELSE :size_class := 'large'; END IF; END;",
    binds: [inNumber('N', 50), outText('SIZE_CLASS')],
    out: { SIZE_CLASS: 'large' },
  },
  {
    title: 'takes a comparison with NULL as not true',
    sql: "DECLARE l_text VARCHAR2(10 CHAR) := :text; BEGIN IF l_text = '' OR l_text <> 'x' THEN :outcome := 'compared'; ELSIF l_text IS NULL THEN :outcome := 'null'; END IF; END;",
    binds: [inText('TEXT', ''), outText('OUTCOME')],
    out: { OUTCOME: 'null' },
  },
  {
    title: 'ends early with RETURN',
    sql: "BEGIN :outcome := 'before'; RETURN; :outcome := 'after'; END;",
    binds: [outText('OUTCOME')],
    out: { OUTCOME: 'before' },
  },
  {
    title: 'handles a duplicate key in a nested block',
    sql: "DECLARE l_seen VARCHAR2(20 CHAR); BEGIN BEGIN INSERT INTO departments (department_id, name) VALUES (10, 'Twice'); EXCEPTION WHEN DUP_VAL_ON_INDEX THEN SELECT d.name INTO l_seen FROM departments d WHERE d.department_id = 10; END; :seen := l_seen; END;",
    binds: [outText('SEEN')],
    out: { SEEN: 'Sales' },
  },
  {
    title: 'handles a missing row',
    sql: "BEGIN BEGIN SELECT o.customer INTO :customer FROM orders o WHERE o.order_id = 77; EXCEPTION WHEN NO_DATA_FOUND THEN :customer := 'nobody'; END; END;",
    binds: [outText('CUSTOMER')],
    out: { CUSTOMER: 'nobody' },
  },
  {
    title: 'keeps earlier work of a block whose later statement is handled',
    sql: "BEGIN BEGIN INSERT INTO tags (name) VALUES ('blk one'); INSERT INTO tags (name) VALUES ('red'); EXCEPTION WHEN DUP_VAL_ON_INDEX THEN NULL; END; INSERT INTO tags (name) VALUES ('blk two'); END;",
    afterwards: tagCount(2),
  },
  {
    title: 'undoes the rows of a statement that a handler covers',
    sql: "BEGIN INSERT INTO tags (name) SELECT 'blk many' FROM dual UNION ALL SELECT 'red' FROM dual; EXCEPTION WHEN DUP_VAL_ON_INDEX THEN :outcome := 'handled'; END;",
    binds: [outText('OUTCOME')],
    out: { OUTCOME: 'handled' },
    afterwards: tagCount(0),
  },
  {
    title: 'passes an error that no handler names',
    sql: 'BEGIN INSERT INTO departments (department_id, name) VALUES (70, NULL); EXCEPTION WHEN DUP_VAL_ON_INDEX THEN NULL; END;',
    error: 1400,
  },
  {
    title: 'undoes a whole block that fails, but nothing before it',
    setup: ["INSERT INTO tags (name) VALUES ('blk before')"],
    sql: "BEGIN INSERT INTO tags (name) VALUES ('blk inside'); RAISE_APPLICATION_ERROR(-20409, 'stop'); END;",
    error: 20409,
    afterwards: tagCount(1),
  },
  {
    title: 'raises an application error',
    sql: "BEGIN UPDATE orders o SET o.total = 1 WHERE o.order_id = 77; IF SQL%ROWCOUNT = 0 THEN RAISE_APPLICATION_ERROR(-20404, 'no order ' || :order_id); END IF; END;",
    binds: [inNumber('ORDER_ID', 77)],
    error: 20404,
  },
  {
    title: 'adds lines of a JSON document and their total',
    sql: `DECLARE
  l_lines CLOB := :lines;
  l_order NUMBER := :order_id;
  l_last NUMBER;
  l_added NUMBER;
BEGIN
  SELECT COUNT(*) INTO l_last FROM order_lines l WHERE l.order_id = l_order;
  INSERT INTO order_lines (order_id, position, sku, amount)
  SELECT o.order_id, l_last + j.ord, j.sku, j.amount
    FROM JSON_TABLE(l_lines, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
           ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', amount NUMBER PATH '$.amount')) j
         CROSS JOIN orders o
   WHERE o.order_id = l_order;
  l_added := SQL%ROWCOUNT;
  SELECT JSON_OBJECT('added' VALUE l_added, 'last' VALUE l_last + l_added RETURNING CLOB) INTO :summary FROM dual;
END;`,
    binds: [
      inClob('LINES', '[{"sku":"cup","amount":4},{"sku":"tea","amount":2}]'),
      inNumber('ORDER_ID', 1),
      outClob('SUMMARY'),
    ],
    out: { SUMMARY: jsonText({ added: 2, last: 4 }) },
    afterwards: {
      sql: 'SELECT MAX(l.position) AS last_position FROM order_lines l WHERE l.order_id = 1',
      rows: [[4]],
    },
  },
  {
    title: 'writes one moment into several rows',
    sql: 'DECLARE l_now TIMESTAMP WITH TIME ZONE := SYSTIMESTAMP; BEGIN UPDATE orders o SET o.placed_at = l_now WHERE o.order_id = 1; UPDATE orders o SET o.placed_at = l_now WHERE o.order_id = 2; END;',
    afterwards: {
      sql: 'SELECT COUNT(DISTINCT o.placed_at) AS n FROM orders o WHERE o.order_id IN (1, 2)',
      rows: [[1]],
    },
  },
  {
    title: 'merges inside a block',
    sql: "BEGIN MERGE INTO departments d USING (SELECT :id AS id FROM dual) n ON (d.department_id = n.id) WHEN MATCHED THEN UPDATE SET d.name = 'Merged' WHEN NOT MATCHED THEN INSERT (department_id, name) VALUES (n.id, 'Merged'); :merged := SQL%ROWCOUNT; END;",
    binds: [inNumber('ID', 80), outNumber('MERGED')],
    out: { MERGED: 1 },
  },
  {
    title: 'finishes a task once, guarded by its attempt',
    setup: [
      'CREATE TABLE tasks (task_id VARCHAR2(20 CHAR) PRIMARY KEY, state VARCHAR2(10 CHAR) NOT NULL, attempt NUMBER(4) NOT NULL)',
      "INSERT INTO tasks VALUES ('t1', 'running', 2)",
    ],
    sql: "DECLARE l_state VARCHAR2(10 CHAR); BEGIN UPDATE tasks t SET t.state = 'done' WHERE t.task_id = :task_id AND t.state = 'running' AND t.attempt = :attempt; IF SQL%ROWCOUNT = 0 THEN SELECT t.state INTO l_state FROM tasks t WHERE t.task_id = :task_id; IF l_state = 'done' THEN :outcome := 'already_done'; RETURN; END IF; RAISE_APPLICATION_ERROR(-20409, 'lease lost'); END IF; :outcome := 'done'; END;",
    binds: [inText('TASK_ID', 't1'), inNumber('ATTEMPT', 1), outText('OUTCOME')],
    error: 20409,
  },
  {
    title: 'no row for SELECT INTO',
    sql: 'DECLARE l_n NUMBER; BEGIN SELECT o.total INTO l_n FROM orders o WHERE o.order_id = 77; END;',
    error: 1403,
  },
  {
    title: 'several rows for SELECT INTO',
    sql: 'DECLARE l_n NUMBER; BEGIN SELECT o.total INTO l_n FROM orders o; END;',
    error: 1422,
  },
  {
    title: 'a value too long for its variable',
    sql: "DECLARE l_text VARCHAR2(3 CHAR); BEGIN l_text := 'four'; END;",
    error: 6502,
  },
  { title: 'text in a number variable', sql: "DECLARE l_n NUMBER; BEGIN l_n := 'four'; END;", error: 6502 },
  { title: 'text in a sum', sql: "DECLARE l_n NUMBER; BEGIN l_n := 1 + 'four'; END;", error: 6502 },
  { title: 'text compared with a number', sql: "BEGIN IF 'four' = 4 THEN NULL; END IF; END;", error: 6502 },
  {
    title: 'text in a sum of a statement',
    sql: "BEGIN UPDATE orders SET total = 1 + 'four'; END;",
    error: 1722,
  },
  {
    title: 'division by zero in an expression',
    sql: 'DECLARE l_n NUMBER := 0; BEGIN l_n := 1 / l_n; END;',
    error: 1476,
  },
  { title: 'SELECT without INTO', sql: 'BEGIN SELECT o.total FROM orders o; END;', error: 6550 },
  { title: 'an undeclared name', sql: 'BEGIN l_unknown := 1; END;', error: 6550 },
  { title: 'a missing semicolon', sql: 'BEGIN NULL END;', error: 6550 },
  { title: 'a block without its end', sql: 'BEGIN NULL;', error: 6550 },
  { title: 'a variable without a length', sql: 'DECLARE l_text VARCHAR2; BEGIN NULL; END;', error: 6550 },
  { title: 'an unknown table in a block', sql: 'BEGIN DELETE FROM unknown_things; END;', error: 6550 },
  {
    title: 'a bind of a block without a value',
    sql: 'BEGIN DELETE FROM orders WHERE order_id = :missing; END;',
    error: 1008,
  },
  {
    title: 'DDL as a statement of a block',
    sql: 'BEGIN CREATE TABLE in_block (id NUMBER); END;',
    error: 6550,
  },
  {
    title: 'an application error number out of range',
    sql: "BEGIN RAISE_APPLICATION_ERROR(-19999, 'x'); END;",
    error: 21000,
  },
  {
    title: 'loops over the rows of a query',
    sql: "DECLARE l_total NUMBER := 0; BEGIN FOR r IN (SELECT o.order_id, o.total FROM orders o WHERE o.customer = 'north' ORDER BY o.order_id) LOOP l_total := l_total + r.total; UPDATE orders o SET o.version = 5 WHERE o.order_id = r.order_id; END LOOP; :total := l_total; END;",
    binds: [outNumber('TOTAL')],
    out: { TOTAL: 140 },
    afterwards: { sql: 'SELECT COUNT(*) AS n FROM orders o WHERE o.version = 5', rows: [[2]] },
  },
  {
    title: 'loops over a range and leaves early',
    sql: 'DECLARE l_sum NUMBER := 0; BEGIN FOR i IN 1 .. 10 LOOP EXIT WHEN i > 4; l_sum := l_sum + i; END LOOP; :total := l_sum; END;',
    binds: [outNumber('TOTAL')],
    out: { TOTAL: 10 },
  },
  {
    title: 'loops while a condition holds',
    sql: 'DECLARE l_n NUMBER := 1; BEGIN WHILE l_n < 100 LOOP l_n := l_n * 3; END LOOP; :n := l_n; END;',
    binds: [outNumber('N')],
    out: { N: 243 },
  },
  {
    title: 'runs dynamic DDL and goes on when the object exists',
    setup: ['CREATE TABLE made_once (id NUMBER)'],
    sql: "BEGIN EXECUTE IMMEDIATE 'CREATE TABLE made_once (id NUMBER)'; EXCEPTION WHEN OTHERS THEN IF SQLCODE NOT IN (-955, -1408) THEN RAISE; END IF; :outcome := 'exists'; END;",
    binds: [outText('OUTCOME')],
    out: { OUTCOME: 'exists' },
  },
  {
    title: 'raises again what it does not handle',
    sql: 'BEGIN DELETE FROM departments d WHERE d.department_id = 10; EXCEPTION WHEN OTHERS THEN IF SQLCODE <> -1 THEN RAISE; END IF; END;',
    error: 2292,
  },
  {
    title: 'dynamic SQL with an unknown table',
    sql: "BEGIN EXECUTE IMMEDIATE 'DELETE FROM unknown_things'; END;",
    error: 942,
  },
  {
    title: 'a query that is not used by its loop',
    sql: "BEGIN FOR r IN (SELECT o.order_id FROM orders o WHERE 1 = 0) LOOP RAISE_APPLICATION_ERROR(-20001, 'row'); END LOOP; END;",
  },
  {
    title: 'rounds to the scale of a variable',
    sql: 'DECLARE l_n NUMBER(3, 1); BEGIN l_n := 2.25; :n := l_n; END;',
    binds: [outNumber('N')],
    out: { N: 2.3 },
  },
  {
    title: 'converts between numbers and text when it assigns',
    sql: "BEGIN :word := 5; :n := '7'; END;",
    binds: [outText('WORD'), outNumber('N')],
    out: { WORD: '5', N: 7 },
  },
  {
    title: 'tells the number and message of an error',
    sql: "BEGIN RAISE_APPLICATION_ERROR(-20001, 'told'); EXCEPTION WHEN OTHERS THEN :code := SQLCODE; :message := SQLERRM; END;",
    binds: [outNumber('CODE'), outText('MESSAGE')],
    out: { CODE: -20001, MESSAGE: 'ORA-20001: told' },
  },
  {
    title: 'evaluates expressions with functions',
    sql: "BEGIN :word := NVL(NULL, 'x') || TO_CHAR(0.5) || SUBSTR('abc', -1) || CASE WHEN 1 = 1 THEN '!' END; END;",
    binds: [outText('WORD')],
    out: { WORD: 'x.5c!' },
  },
  {
    title: 'locks the row it selects',
    sql: 'BEGIN SELECT o.total INTO :total FROM orders o WHERE o.order_id = 1 FOR UPDATE; END;',
    binds: [outNumber('TOTAL')],
    out: { TOTAL: 100 },
  },
  {
    title: 'lets an outer block handle what an inner one does not',
    sql: "BEGIN BEGIN RAISE_APPLICATION_ERROR(-20001, 'x'); EXCEPTION WHEN NO_DATA_FOUND THEN NULL; END; EXCEPTION WHEN OTHERS THEN :code := SQLCODE; END;",
    binds: [outNumber('CODE')],
    out: { CODE: -20001 },
  },
  {
    title: 'text with too many bytes for its variable',
    sql: "DECLARE l_text VARCHAR2(5); BEGIN l_text := 'éééé'; END;",
    error: 6502,
  },
  {
    title: 'a number above the precision of its variable',
    sql: 'DECLARE l_n NUMBER(3); BEGIN l_n := 12345; END;',
    error: 6502,
  },
  { title: 'a name declared twice', sql: 'DECLARE l_n NUMBER; l_n NUMBER; BEGIN NULL; END;', error: 6550 },
  {
    title: 'an assignment to a constant',
    sql: 'DECLARE l_n CONSTANT NUMBER := 1; BEGIN l_n := 2; END;',
    error: 6550,
  },
  { title: 'an IF without its end', sql: 'BEGIN IF 1 = 1 THEN NULL; END; END;', error: 6550 },
  { title: 'text after a block', sql: 'BEGIN NULL; END; NULL;', error: 6550 },
  {
    title: 'a PLS_INTEGER beyond 32 bits',
    sql: 'DECLARE l_n PLS_INTEGER := 2147483647; BEGIN l_n := l_n + 1; END;',
    error: 1426,
  },
  {
    title: 'whole literals are PLS_INTEGER',
    sql: 'DECLARE l_n NUMBER; BEGIN l_n := 2147483647 + 1; END;',
    error: 1426,
  },
  {
    title: 'adds a literal to a NUMBER beyond 32 bits',
    sql: 'DECLARE l_n NUMBER := 2147483647; BEGIN l_n := l_n + 1; :n := l_n; END;',
    binds: [outNumber('N')],
    out: { N: 2_147_483_648 },
  },
  {
    title: 'reads a literal with an exponent',
    sql: 'DECLARE l_n NUMBER := 1.50e10; BEGIN :n := l_n; END;',
    binds: [outNumber('N')],
    out: { N: 15_000_000_000 },
  },
  { title: 'a number as a condition', sql: 'BEGIN IF 1 THEN NULL; END IF; END;', error: 6550 },
  {
    title: 'a variable that is no BOOLEAN as a condition',
    sql: "DECLARE l_t VARCHAR2(5) := 'true'; BEGIN WHILE l_t LOOP NULL; END LOOP; END;",
    error: 6550,
  },
  {
    title: 'an arithmetic expression as a condition',
    sql: 'DECLARE l_n NUMBER := 1; BEGIN LOOP EXIT WHEN l_n + 1; END LOOP; END;',
    error: 6550,
  },
  {
    title: 'takes NULL and BOOLEAN variables as conditions',
    sql: 'DECLARE l_b BOOLEAN := TRUE; BEGIN IF NULL THEN :n := 1; ELSIF l_b THEN :n := 2; END IF; END;',
    binds: [outNumber('N')],
    out: { N: 2 },
  },
  { title: 'synchronizes a text index', sql: "BEGIN CTX_DDL.SYNC_INDEX('articles_text'); END;" },
  {
    title: 'a text index that does not exist',
    sql: "BEGIN CTX_DDL.SYNC_INDEX('orders_text'); END;",
    error: 20000,
  },
  { title: 'optimizes a text index', sql: "BEGIN CTX_DDL.OPTIMIZE_INDEX('articles_text', 'FULL'); END;" },
  {
    title: 'an optimization that Oracle does not know',
    sql: "BEGIN CTX_DDL.OPTIMIZE_INDEX('articles_text', 'WHOLE'); END;",
    error: 6550,
  },
  { title: 'takes a lexer preference', sql: "BEGIN CTX_DDL.CREATE_PREFERENCE('words', 'WORLD_LEXER'); END;" },
  {
    title: 'a job, which the user may not create',
    sql: "BEGIN DBMS_SCHEDULER.CREATE_JOB(job_name => 'j', job_action => q'[BEGIN NULL; END;]'); END;",
    error: 27486,
  },
  { title: 'a package that is not granted', sql: 'BEGIN DBMS_LOCK.SLEEP(1); END;', error: 6550 },
];
