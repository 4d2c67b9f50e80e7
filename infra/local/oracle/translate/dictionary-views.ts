import type { OracleType } from '../sql/oracle-type.ts';
import type { ScopeColumn } from './scope.ts';

const name = (length = 128): OracleType => ({ kind: 'VARCHAR2', length, unit: 'BYTE' });
const NUMBER: OracleType = { kind: 'NUMBER' };

const columns = (types: Readonly<Record<string, OracleType>>): readonly ScopeColumn[] =>
  Object.entries(types).map(([column, type]) => ({ name: column, type }));

/** DUAL and the views of the data dictionary; their queries are in the prelude. */
export const DICTIONARY_VIEWS: ReadonlyMap<string, readonly ScopeColumn[]> = new Map([
  ['DUAL', columns({ DUMMY: name(1) })],
  ['USER_TABLES', columns({ TABLE_NAME: name(), STATUS: name(8) })],
  ['USER_VIEWS', columns({ VIEW_NAME: name() })],
  [
    'USER_TAB_COLUMNS',
    columns({
      TABLE_NAME: name(),
      COLUMN_NAME: name(),
      DATA_TYPE: name(),
      DATA_LENGTH: NUMBER,
      DATA_PRECISION: NUMBER,
      DATA_SCALE: NUMBER,
      NULLABLE: name(1),
      COLUMN_ID: NUMBER,
      CHAR_LENGTH: NUMBER,
      CHAR_USED: name(1),
      IDENTITY_COLUMN: name(3),
    }),
  ],
  [
    'USER_INDEXES',
    columns({
      INDEX_NAME: name(),
      INDEX_TYPE: name(27),
      TABLE_NAME: name(),
      UNIQUENESS: name(9),
      STATUS: name(8),
    }),
  ],
  [
    'USER_IND_COLUMNS',
    columns({ INDEX_NAME: name(), TABLE_NAME: name(), COLUMN_NAME: name(4000), COLUMN_POSITION: NUMBER }),
  ],
  [
    'USER_CONSTRAINTS',
    columns({ CONSTRAINT_NAME: name(), CONSTRAINT_TYPE: name(1), TABLE_NAME: name(), STATUS: name(8) }),
  ],
  [
    'USER_CONS_COLUMNS',
    columns({ CONSTRAINT_NAME: name(), TABLE_NAME: name(), COLUMN_NAME: name(4000), POSITION: NUMBER }),
  ],
  ['USER_OBJECTS', columns({ OBJECT_NAME: name(), OBJECT_TYPE: name(23), STATUS: name(7) })],
  [
    'USER_PROCEDURES',
    columns({
      OBJECT_NAME: name(),
      PROCEDURE_NAME: name(),
      OBJECT_TYPE: name(13),
      DETERMINISTIC: name(3),
      PARALLEL: name(3),
    }),
  ],
  ['USER_SEQUENCES', columns({ SEQUENCE_NAME: name() })],
  ['V$VERSION', columns({ BANNER: name(80), BANNER_FULL: name(160) })],
  [
    'PRODUCT_COMPONENT_VERSION',
    columns({ PRODUCT: name(80), VERSION: name(80), VERSION_FULL: name(160), STATUS: name(80) }),
  ],
]);
