import { expect } from 'vitest';
import { LARGE_OBJECT_ERRORS, type StatementCase } from './statement-case.ts';

export const DDL_CASES: readonly StatementCase[] = [
  {
    title: 'creates a table with many types',
    sql: "CREATE TABLE sensors (sensor_id NUMBER(10) PRIMARY KEY, label VARCHAR2(20 CHAR) DEFAULT 'none' NOT NULL, reading BINARY_DOUBLE, key_bytes RAW(16) DEFAULT SYS_GUID(), picture BLOB, remarks CLOB, settings JSON, active BOOLEAN DEFAULT TRUE, seen_at TIMESTAMP(3) WITH TIME ZONE DEFAULT SYSTIMESTAMP, made_on DATE, embedding VECTOR(*, FLOAT32))",
    afterwards: {
      sql: "SELECT c.column_name, c.data_type, c.nullable FROM user_tab_columns c WHERE c.table_name = 'SENSORS' AND c.column_id <= 3 ORDER BY c.column_id",
      rows: [
        ['SENSOR_ID', 'NUMBER', 'N'],
        ['LABEL', 'VARCHAR2', 'N'],
        ['READING', 'BINARY_DOUBLE', 'Y'],
      ],
    },
  },
  {
    title: 'leaves an existing table alone with IF NOT EXISTS',
    sql: 'CREATE TABLE IF NOT EXISTS orders (other NUMBER)',
    afterwards: { sql: 'SELECT COUNT(*) AS n FROM orders', rows: [[3]] },
  },
  {
    title: 'creates a table from a query',
    sql: "CREATE TABLE north_orders AS SELECT o.order_id, o.total FROM orders o WHERE o.customer = 'north'",
    afterwards: { sql: 'SELECT n.order_id FROM north_orders n ORDER BY n.order_id', rows: [[1], [3]] },
  },
  {
    title: 'adds columns',
    setup: ['CREATE TABLE grows (id NUMBER)', 'INSERT INTO grows VALUES (1)'],
    sql: "ALTER TABLE grows ADD (label VARCHAR2(10 CHAR) DEFAULT 'x' NOT NULL, weight NUMBER(5, 1))",
    afterwards: { sql: 'SELECT g.id, g.label, g.weight FROM grows g', rows: [[1, 'x', null]] },
  },
  {
    title: 'widens a column',
    setup: ['CREATE TABLE widens (label VARCHAR2(2 CHAR))'],
    sql: 'ALTER TABLE widens MODIFY (label VARCHAR2(5 CHAR))',
    afterwards: {
      sql: "SELECT c.char_length FROM user_tab_columns c WHERE c.table_name = 'WIDENS'",
      rows: [[5]],
    },
  },
  {
    title: 'drops a column',
    setup: ['CREATE TABLE shrinks (id NUMBER, extra NUMBER)'],
    sql: 'ALTER TABLE shrinks DROP COLUMN extra',
    afterwards: {
      sql: "SELECT c.column_name FROM user_tab_columns c WHERE c.table_name = 'SHRINKS'",
      rows: [['ID']],
    },
  },
  {
    title: 'renames a column',
    setup: ['CREATE TABLE renames (old_name NUMBER)', 'INSERT INTO renames VALUES (3)'],
    sql: 'ALTER TABLE renames RENAME COLUMN old_name TO new_name',
    afterwards: { sql: 'SELECT r.new_name FROM renames r', rows: [[3]] },
  },
  {
    title: 'adds a constraint',
    setup: ['CREATE TABLE constrained (id NUMBER, grade NUMBER)'],
    sql: 'ALTER TABLE constrained ADD CONSTRAINT constrained_grade CHECK (grade BETWEEN 1 AND 6)',
    afterwards: {
      sql: "SELECT c.constraint_type FROM user_constraints c WHERE c.constraint_name = 'CONSTRAINED_GRADE'",
      rows: [['C']],
    },
  },
  {
    title: 'drops a table',
    setup: ['CREATE TABLE short_lived (id NUMBER)'],
    sql: 'DROP TABLE short_lived CASCADE CONSTRAINTS PURGE',
    afterwards: {
      sql: "SELECT COUNT(*) AS n FROM user_tables t WHERE t.table_name = 'SHORT_LIVED'",
      rows: [[0]],
    },
  },
  { title: 'drops nothing with IF EXISTS', sql: 'DROP TABLE IF EXISTS never_made' },
  {
    title: 'empties a table',
    setup: ['CREATE TABLE emptied (id NUMBER)', 'INSERT INTO emptied VALUES (1)'],
    sql: 'TRUNCATE TABLE emptied',
    afterwards: { sql: 'SELECT COUNT(*) AS n FROM emptied', rows: [[0]] },
  },
  {
    title: 'creates an index',
    sql: 'CREATE INDEX orders_customer ON orders (customer, placed_at DESC)',
    afterwards: {
      sql: "SELECT i.table_name, i.uniqueness FROM user_indexes i WHERE i.index_name = 'ORDERS_CUSTOMER'",
      rows: [['ORDERS', 'NONUNIQUE']],
    },
  },
  { title: 'creates an index on an expression', sql: 'CREATE INDEX tags_upper ON tags (UPPER(name))' },
  {
    title: 'drops an index',
    setup: ['CREATE TABLE indexed (id NUMBER, x NUMBER)', 'CREATE INDEX indexed_x ON indexed (x)'],
    sql: 'DROP INDEX indexed_x',
    afterwards: {
      sql: "SELECT COUNT(*) AS n FROM user_indexes i WHERE i.index_name = 'INDEXED_X'",
      rows: [[0]],
    },
  },
  {
    title: 'a unique index refuses duplicates',
    setup: [
      'CREATE TABLE unique_pairs (a NUMBER, b NUMBER)',
      'CREATE UNIQUE INDEX unique_pairs_ab ON unique_pairs (a, b)',
      'INSERT INTO unique_pairs VALUES (1, 2)',
    ],
    sql: 'INSERT INTO unique_pairs VALUES (1, 2)',
    error: 1,
  },
  {
    title: 'a composite unique key treats equal parts beside NULL as duplicates',
    setup: [
      'CREATE TABLE unique_parts (a NUMBER, b NUMBER, CONSTRAINT unique_parts_uk UNIQUE (a, b))',
      'INSERT INTO unique_parts VALUES (1, NULL)',
    ],
    sql: 'INSERT INTO unique_parts VALUES (1, NULL)',
    error: 1,
  },
  {
    title: 'a composite unique key ignores rows of NULLs',
    setup: [
      'CREATE TABLE unique_nulls (a NUMBER, b NUMBER, CONSTRAINT unique_nulls_uk UNIQUE (a, b))',
      'INSERT INTO unique_nulls VALUES (NULL, NULL)',
    ],
    sql: 'INSERT INTO unique_nulls VALUES (NULL, NULL)',
    affected: 1,
  },
  {
    title: 'creates a vector index',
    sql: 'CREATE VECTOR INDEX photos_features ON photos (features) ORGANIZATION NEIGHBOR PARTITIONS DISTANCE COSINE WITH TARGET ACCURACY 90 PARAMETERS (type IVF, neighbor partitions 10)',
    afterwards: {
      sql: "SELECT i.table_name FROM user_indexes i WHERE i.index_name = 'PHOTOS_FEATURES'",
      rows: [['PHOTOS']],
    },
  },
  {
    title: 'creates a text index',
    setup: ['CREATE TABLE letters (id NUMBER, body CLOB)', "INSERT INTO letters VALUES (1, 'dear friend')"],
    sql: "CREATE INDEX letters_body ON letters (body) INDEXTYPE IS CTXSYS.CONTEXT PARAMETERS ('SYNC (ON COMMIT)')",
    afterwards: { sql: "SELECT l.id FROM letters l WHERE CONTAINS(l.body, '{friend}', 1) > 0", rows: [[1]] },
  },
  {
    title: 'counts with a sequence',
    setup: [
      'CREATE SEQUENCE ticket_numbers START WITH 100 INCREMENT BY 5 NOCACHE',
      'CREATE TABLE tickets (id NUMBER)',
      'INSERT INTO tickets VALUES (ticket_numbers.NEXTVAL)',
      'INSERT INTO tickets VALUES (ticket_numbers.NEXTVAL)',
    ],
    sql: 'SELECT t.id, ticket_numbers.CURRVAL AS newest FROM tickets t ORDER BY t.id',
    rows: [
      [100, 105],
      [105, 105],
    ],
  },
  {
    title: 'numbers rows by an identity column',
    setup: ['CREATE TABLE numbered (id NUMBER GENERATED ALWAYS AS IDENTITY, name VARCHAR2(5 CHAR))'],
    sql: "INSERT INTO numbered (name) VALUES ('x')",
    affected: 1,
    afterwards: { sql: 'SELECT n.id, n.name FROM numbered n', rows: [[expect.any(Number), 'x']] },
  },
  {
    title: 'takes the default for NULL with ON NULL',
    setup: ['CREATE TABLE on_null (id NUMBER GENERATED BY DEFAULT ON NULL AS IDENTITY, n NUMBER)'],
    sql: 'INSERT INTO on_null (id, n) VALUES (NULL, 1)',
    affected: 1,
    afterwards: { sql: 'SELECT COUNT(x.id) AS n FROM on_null x', rows: [[1]] },
  },
  {
    title: 'creates a view',
    sql: "CREATE OR REPLACE VIEW paid_orders AS SELECT o.order_id FROM orders o WHERE o.state = 'paid'",
    afterwards: { sql: 'SELECT p.order_id FROM paid_orders p', rows: [[1]] },
  },
  { title: 'comments a table', sql: "COMMENT ON TABLE orders IS 'what was bought'" },
  { title: 'a table name in use', sql: 'CREATE TABLE orders (id NUMBER)', error: 955 },
  {
    title: 'an index name in use',
    setup: ['CREATE TABLE named_twice (a NUMBER, b NUMBER)', 'CREATE INDEX named_twice_a ON named_twice (a)'],
    sql: 'CREATE INDEX named_twice_a ON named_twice (b)',
    error: 955,
  },
  {
    title: 'a column list already indexed',
    setup: ['CREATE TABLE indexed_twice (a NUMBER)', 'CREATE INDEX indexed_twice_1 ON indexed_twice (a)'],
    sql: 'CREATE INDEX indexed_twice_2 ON indexed_twice (a)',
    error: 1408,
  },
  {
    title: 'a sequence name in use',
    setup: ['CREATE SEQUENCE counted_once'],
    sql: 'CREATE SEQUENCE counted_once',
    error: 955,
  },
  { title: 'dropping an unknown table', sql: 'DROP TABLE never_made', error: 942 },
  { title: 'dropping an unknown index', sql: 'DROP INDEX never_made', error: 1418 },
  { title: 'dropping an unknown sequence', sql: 'DROP SEQUENCE never_made', error: 2289 },
  {
    title: 'the next value of an unknown sequence',
    sql: 'SELECT never_made.NEXTVAL AS n FROM dual',
    error: 2289,
  },
  { title: 'an index on an unknown table', sql: 'CREATE INDEX unknown_index ON never_made (id)', error: 942 },
  {
    title: 'an index on an unknown column',
    sql: 'CREATE INDEX unknown_column ON orders (colour)',
    error: 904,
  },
  {
    title: 'adding a column that exists',
    sql: 'ALTER TABLE orders ADD (state VARCHAR2(5 CHAR))',
    error: 1430,
  },
  { title: 'dropping an unknown column', sql: 'ALTER TABLE orders DROP COLUMN colour', error: 904 },
  { title: 'a column named twice', sql: 'CREATE TABLE doubled (id NUMBER, id NUMBER)', error: 957 },
  {
    title: 'two primary keys',
    sql: 'CREATE TABLE two_keys (a NUMBER PRIMARY KEY, b NUMBER PRIMARY KEY)',
    error: 2260,
  },
  {
    title: 'a second primary key',
    sql: 'ALTER TABLE orders ADD CONSTRAINT orders_second PRIMARY KEY (customer)',
    error: 2260,
  },
  {
    title: 'a constraint name in use',
    sql: 'ALTER TABLE orders ADD CONSTRAINT orders_total_positive CHECK (total < 1000000)',
    error: 2264,
  },
  {
    title: 'a foreign key to columns without a key',
    sql: 'CREATE TABLE refers (customer VARCHAR2(30 CHAR) REFERENCES orders (customer))',
    error: 2270,
  },
  { title: 'dropping a table that others refer to', sql: 'DROP TABLE departments', error: 2449 },
  { title: 'VARCHAR2 without a length', sql: 'CREATE TABLE no_length (label VARCHAR2)', error: 906 },
  { title: 'a type of another database', sql: 'CREATE TABLE no_type (label TEXT)', error: 902 },
  { title: 'a precision above 38', sql: 'CREATE TABLE no_precision (n NUMBER(39))', error: 1727 },
  { title: 'a length of zero', sql: 'CREATE TABLE zero_length (label VARCHAR2(0 CHAR))', error: 1723 },
  {
    title: 'a length above the maximum',
    sql: 'CREATE TABLE long_length (label VARCHAR2(40000 BYTE))',
    error: 910,
  },
  { title: 'a name of 129 bytes', sql: `CREATE TABLE ${'t'.repeat(129)} (id NUMBER)`, error: 972 },
  {
    title: 'a reserved word as a column',
    sql: 'CREATE TABLE reserved_word (size NUMBER)',
    error: [904, 3050],
  },
  { title: 'a reserved word as a table', sql: 'CREATE TABLE level (id NUMBER)', error: [903, 3050] },
  { title: 'a bind in DDL', sql: 'CREATE TABLE bound_default (n NUMBER DEFAULT :n)', error: [1008, 1027] },
  {
    title: 'a large object as primary key',
    sql: 'CREATE TABLE large_key (body CLOB PRIMARY KEY)',
    error: 2329,
  },
  {
    title: 'a moment with time zone as primary key',
    sql: 'CREATE TABLE moment_key (at TIMESTAMP(6) WITH TIME ZONE PRIMARY KEY)',
    error: 2329,
  },
  {
    title: 'an index on a large object',
    sql: 'CREATE INDEX articles_body_plain ON articles (body)',
    error: 2327,
  },
  {
    title: 'a value for an identity column that always generates',
    setup: ['CREATE TABLE always_numbered (id NUMBER GENERATED ALWAYS AS IDENTITY, n NUMBER)'],
    sql: 'INSERT INTO always_numbered (id, n) VALUES (5, 1)',
    error: 32795,
  },
  {
    title: 'a primary key over duplicates',
    setup: [
      'CREATE TABLE has_duplicates (a NUMBER)',
      'INSERT INTO has_duplicates VALUES (1)',
      'INSERT INTO has_duplicates VALUES (1)',
    ],
    sql: 'ALTER TABLE has_duplicates ADD CONSTRAINT has_duplicates_pk PRIMARY KEY (a)',
    error: 2437,
  },
  {
    title: 'CHECK over a large object compared',
    sql: "CREATE TABLE large_check (body CLOB, CONSTRAINT large_check_body CHECK (body = 'x'))",
    error: LARGE_OBJECT_ERRORS,
  },
  {
    title: 'a vector of an unknown format',
    sql: 'CREATE TABLE odd_vector (v VECTOR(3, FLOAT16))',
    error: [51800, 51801, 51802],
  },
  {
    title: 'a vector of too many dimensions',
    sql: 'CREATE TABLE wide_vector (v VECTOR(65536, FLOAT32))',
    error: [51800, 51801, 51802],
  },
  {
    title: 'a view of an expression without a name',
    sql: 'CREATE VIEW nameless AS SELECT COUNT(*) FROM orders',
    error: 998,
  },
  { title: 'a view over a name in use', sql: 'CREATE VIEW tags AS SELECT 1 AS one FROM dual', error: 955 },
  {
    title: 'names the columns of a view',
    sql: 'CREATE VIEW staff (person) AS SELECT e.name FROM employees e',
    afterwards: { sql: 'SELECT COUNT(s.person) AS n FROM staff s', rows: [[5]] },
  },
  {
    title: 'increments a sequence once for a row',
    setup: ['CREATE SEQUENCE once_a_row START WITH 7'],
    sql: 'SELECT once_a_row.NEXTVAL AS first_use, once_a_row.NEXTVAL AS second_use FROM dual',
    rows: [[7, 7]],
  },
  {
    title: 'the end of a sequence',
    setup: [
      'CREATE SEQUENCE short_sequence MAXVALUE 2 NOCACHE',
      'CREATE TABLE used_up (id NUMBER)',
      'INSERT INTO used_up VALUES (short_sequence.NEXTVAL)',
      'INSERT INTO used_up VALUES (short_sequence.NEXTVAL)',
    ],
    sql: 'SELECT short_sequence.NEXTVAL AS id FROM dual',
    error: 8004,
  },
  {
    title: 'the current value before the first',
    setup: ['CREATE SEQUENCE not_used_yet'],
    sql: 'SELECT not_used_yet.CURRVAL AS id FROM dual',
    error: 8002,
  },
  {
    title: 'an index on a column twice',
    sql: 'CREATE INDEX orders_twice ON orders (state, state)',
    error: 957,
  },
  {
    title: 'a unique index over duplicates',
    sql: 'CREATE UNIQUE INDEX orders_one_customer ON orders (customer)',
    error: 1452,
  },
  {
    title: 'a mandatory column for rows that exist',
    sql: 'ALTER TABLE orders ADD (mandatory NUMBER NOT NULL)',
    error: 1758,
  },
  {
    title: 'a column shorter than its values',
    sql: 'ALTER TABLE orders MODIFY (customer VARCHAR2(3 CHAR))',
    error: 1441,
  },
  {
    title: 'another type for a column with values',
    sql: 'ALTER TABLE orders MODIFY (customer NUMBER)',
    error: 1439,
  },
  {
    title: 'dropping an unknown constraint',
    sql: 'ALTER TABLE orders DROP CONSTRAINT never_made',
    error: 2443,
  },
  { title: 'emptying a table that others refer to', sql: 'TRUNCATE TABLE departments', error: 2266 },
  {
    title: 'a fraction of seconds above nine digits',
    sql: 'CREATE TABLE fine_clock (at TIMESTAMP(10))',
    error: 30088,
  },
  {
    title: 'a constraint name twice in one table',
    sql: 'CREATE TABLE named_again (a NUMBER, CONSTRAINT named_again_1 PRIMARY KEY (a), CONSTRAINT named_again_1 UNIQUE (a))',
    error: 2264,
  },
  { title: 'a sequence of one number', sql: 'CREATE SEQUENCE narrow_sequence MAXVALUE 1', error: 4004 },
];
