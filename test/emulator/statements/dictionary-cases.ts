import { inText, type StatementCase } from './statement-case.ts';

export const DICTIONARY_CASES: readonly StatementCase[] = [
  {
    title: 'lists tables by name',
    sql: "SELECT t.table_name FROM user_tables t WHERE t.table_name IN ('ORDERS', 'TAGS', 'orders') ORDER BY t.table_name",
    columns: ['TABLE_NAME'],
    rows: [['ORDERS'], ['TAGS']],
  },
  {
    title: 'finds a table by a bound name in any case',
    sql: 'SELECT COUNT(*) AS n FROM user_tables t WHERE t.table_name = UPPER(:name)',
    binds: [inText('NAME', 'photos')],
    rows: [[1]],
  },
  {
    title: 'describes columns',
    sql: "SELECT c.column_name, c.data_type, c.nullable, c.char_length, c.data_precision, c.data_scale FROM user_tab_columns c WHERE c.table_name = 'ORDERS' ORDER BY c.column_id",
    rows: [
      ['ORDER_ID', 'NUMBER', 'N', 0, 10, 0],
      ['CUSTOMER', 'VARCHAR2', 'N', 30, null, null],
      ['STATE', 'VARCHAR2', 'N', 10, null, null],
      ['TOTAL', 'NUMBER', 'N', 0, 10, 2],
      ['PLACED_AT', 'TIMESTAMP(6) WITH TIME ZONE', 'Y', 0, null, 6],
      ['NOTE', 'CLOB', 'Y', 0, null, null],
      ['VERSION', 'NUMBER', 'N', 0, 6, 0],
    ],
  },
  {
    title: 'describes JSON and VECTOR columns',
    sql: "SELECT c.table_name, c.column_name, c.data_type FROM user_tab_columns c WHERE (c.table_name = 'DOCUMENTS' AND c.column_name = 'BODY') OR (c.table_name = 'PHOTOS' AND c.column_name = 'FEATURES') ORDER BY 1",
    rows: [
      ['DOCUMENTS', 'BODY', 'JSON'],
      ['PHOTOS', 'FEATURES', 'VECTOR'],
    ],
  },
  {
    title: 'lists the constraints of a table',
    sql: "SELECT c.constraint_name, c.constraint_type FROM user_constraints c WHERE c.table_name = 'ORDER_LINES' AND c.constraint_type IN ('P', 'R') ORDER BY c.constraint_name",
    rows: [
      ['ORDER_LINES_ORDER_FK', 'R'],
      ['ORDER_LINES_PK', 'P'],
    ],
  },
  {
    title: 'lists the columns of an index',
    setup: ['CREATE TABLE shelves (a NUMBER, b NUMBER)', 'CREATE UNIQUE INDEX shelves_ba ON shelves (b, a)'],
    sql: "SELECT i.column_name, i.column_position FROM user_ind_columns i WHERE i.index_name = 'SHELVES_BA' ORDER BY i.column_position",
    rows: [
      ['B', 1],
      ['A', 2],
    ],
  },
  {
    title: 'tells unique indexes from others',
    setup: [
      'CREATE TABLE racks (a NUMBER, b NUMBER)',
      'CREATE UNIQUE INDEX racks_a ON racks (a)',
      'CREATE INDEX racks_b ON racks (b)',
    ],
    sql: "SELECT i.index_name, i.uniqueness FROM user_indexes i WHERE i.table_name = 'RACKS' ORDER BY i.index_name",
    rows: [
      ['RACKS_A', 'UNIQUE'],
      ['RACKS_B', 'NONUNIQUE'],
    ],
  },
  {
    title: 'lists sequences',
    setup: ['CREATE SEQUENCE seat_numbers'],
    sql: "SELECT s.sequence_name FROM user_sequences s WHERE s.sequence_name = 'SEAT_NUMBERS'",
    rows: [['SEAT_NUMBERS']],
  },
  {
    title: 'lists objects of several kinds',
    setup: ['CREATE TABLE boxes (id NUMBER)', 'CREATE INDEX boxes_id ON boxes (id)'],
    sql: "SELECT o.object_name, o.object_type FROM user_objects o WHERE o.object_name LIKE 'BOXES%' ORDER BY o.object_name",
    rows: [
      ['BOXES', 'TABLE'],
      ['BOXES_ID', 'INDEX'],
    ],
  },
  {
    title: 'lists a view as a view',
    setup: ['CREATE TABLE crates (id NUMBER)', 'CREATE OR REPLACE VIEW crates_seen AS SELECT id FROM crates'],
    sql: "SELECT o.object_name, o.object_type FROM user_objects o WHERE o.object_name LIKE 'CRATES%' ORDER BY o.object_name",
    rows: [
      ['CRATES', 'TABLE'],
      ['CRATES_SEEN', 'VIEW'],
    ],
  },
  {
    title: 'keeps views apart from tables',
    setup: ['CREATE TABLE sacks (id NUMBER)', 'CREATE VIEW sacks_seen AS SELECT id FROM sacks'],
    sql: "SELECT t.table_name FROM user_tables t WHERE t.table_name LIKE 'SACKS%' UNION ALL SELECT v.view_name FROM user_views v WHERE v.view_name LIKE 'SACKS%'",
    rows: [['SACKS'], ['SACKS_SEEN']],
  },
  { title: 'has one row in DUAL', sql: 'SELECT d.dummy FROM dual d', columns: ['DUMMY'], rows: [['X']] },
  {
    title: 'does not know the catalog of another database',
    sql: 'SELECT table_name FROM information_schema.tables',
    error: [942, 3001],
  },
  {
    title: 'does not know system tables of another database',
    sql: 'SELECT relname FROM pg_class',
    error: 942,
  },
];
