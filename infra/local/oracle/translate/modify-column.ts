import type { ColumnDefinition } from '../engine/catalog.ts';
import type { ColumnSyntax } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { defaultSql } from './create-table.ts';
import { quoteName } from './names.ts';
import type { StatementState } from './scope.ts';
import { postgresType } from './value.ts';

interface ModifiedColumn {
  readonly column: ColumnDefinition;
  readonly steps: readonly string[];
}

/** One column of ALTER TABLE … MODIFY. */
export function modifyColumn(
  change: ColumnSyntax,
  current: ColumnDefinition,
  table: string,
  state: StatementState,
): ModifiedColumn {
  if (change.identity !== undefined || change.defaultOnNull) {
    throw new OracleError(3001, 'unimplemented feature: MODIFY of an identity or DEFAULT ON NULL', {
      offset: change.name.offset,
    });
  }
  const alter = `ALTER TABLE ${quoteName(table)} ALTER COLUMN ${quoteName(current.name)}`;
  const type = change.type ?? current.type;
  const steps = change.type === undefined ? [] : typeSteps(change.type, current, table, change.name.offset);
  const standard = defaultSql(change, { name: current.name, type }, table, state);
  return {
    column: { ...current, type, nullable: change.nullable ?? current.nullable },
    steps: [
      ...steps,
      ...(standard === undefined ? [] : [`${alter} SET DEFAULT ${standard}`]),
      ...nullabilitySteps(change, current, table, alter),
    ],
  };
}

/** ORA-01442 and ORA-01451: already so; ORA-02296: NULL values in the way. */
function nullabilitySteps(
  change: ColumnSyntax,
  current: ColumnDefinition,
  table: string,
  alter: string,
): readonly string[] {
  const { offset } = change.name;
  if (change.nullable === undefined) {
    return [];
  }
  if (change.nullable === current.nullable) {
    throw change.nullable
      ? new OracleError(1451, 'column to be modified to NULL cannot be modified to NULL', { offset })
      : new OracleError(1442, 'column to be modified to NOT NULL is already NOT NULL', { offset });
  }
  if (change.nullable) {
    return [`${alter} DROP NOT NULL`];
  }
  const message = `cannot enable (null values found in column ${current.name})`.replaceAll("'", "''");
  return [
    `SELECT ora.raise(2296, '${message}') FROM ${quoteName(table)} WHERE ${quoteName(current.name)} IS NULL LIMIT 1`,
    `${alter} SET NOT NULL`,
  ];
}

/** Another length or precision is checked against the rows (ORA-01441, ORA-01440); another type is refused (ORA-01439). */
function typeSteps(
  type: OracleType,
  current: ColumnDefinition,
  table: string,
  offset: number,
): readonly string[] {
  const column = quoteName(current.name);
  const from = `FROM ${quoteName(table)}`;
  const { type: old } = current;
  if (type.kind !== old.kind) {
    throw old.kind === 'VARCHAR2' && type.kind === 'CLOB'
      ? new OracleError(22858, 'invalid alteration of datatype', { offset })
      : new OracleError(1439, 'column to be modified must be empty to change datatype', { offset });
  }
  if (type.kind === 'VARCHAR2') {
    const length = type.unit === 'CHAR' ? `char_length(${column})` : `octet_length(${column})`;
    return [
      `SELECT ora.raise(1441, 'cannot decrease column length because some value is too big') ${from} WHERE ${length} > ${type.length} LIMIT 1`,
    ];
  }
  if (type.kind === 'NUMBER') {
    const narrower =
      type.precision !== undefined &&
      (old.kind !== 'NUMBER' || old.precision === undefined || old.precision > type.precision);
    return narrower
      ? [
          `SELECT ora.raise(1440, 'column to be modified must be empty to decrease precision or scale') ${from} WHERE ${column} IS NOT NULL LIMIT 1`,
        ]
      : [];
  }
  if (type.kind === 'TIMESTAMP' || type.kind === 'VECTOR') {
    return [`ALTER TABLE ${quoteName(table)} ALTER COLUMN ${column} TYPE ${postgresType(type)}`];
  }
  return [];
}
