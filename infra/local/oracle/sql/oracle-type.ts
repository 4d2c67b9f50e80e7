/** A data type of Oracle Database as the emulator knows it: of a column, a bind, a variable or an expression. */
export type OracleType =
  | { readonly kind: 'VARCHAR2'; readonly length: number; readonly unit: 'BYTE' | 'CHAR' }
  /** `isPlsInteger`: PLS_INTEGER and BINARY_INTEGER of PL/SQL, which have 32 bits. */
  | {
      readonly kind: 'NUMBER';
      readonly precision?: number;
      readonly scale?: number;
      readonly isPlsInteger?: true;
    }
  | { readonly kind: 'BINARY_DOUBLE' | 'BINARY_FLOAT' | 'CLOB' | 'BLOB' | 'DATE' | 'JSON' | 'BOOLEAN' }
  | { readonly kind: 'RAW'; readonly length: number }
  | { readonly kind: 'TIMESTAMP'; readonly precision: number; readonly timeZone: boolean }
  | { readonly kind: 'INTERVAL' }
  | {
      readonly kind: 'VECTOR';
      readonly dimensions: number | '*';
      readonly format: 'FLOAT32' | 'FLOAT64' | 'INT8' | '*';
    }
  | { readonly kind: PlsqlJsonType };

/** Types that only PL/SQL has: JSON values in memory, and the names of an object's fields. */
export const PLSQL_JSON_TYPES = [
  'JSON_ELEMENT_T',
  'JSON_OBJECT_T',
  'JSON_ARRAY_T',
  'JSON_SCALAR_T',
  'JSON_KEY_LIST',
] as const;
export type PlsqlJsonType = (typeof PLSQL_JSON_TYPES)[number];
