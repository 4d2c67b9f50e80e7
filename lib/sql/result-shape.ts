import type { ColumnType, Query, ResultShape, Row } from './statement.ts';
import { statementFault } from './statement-fault.ts';

/** A row as a transport got it: column aliases in lower case; a missing key is NULL. */
export type RawRow = Readonly<Record<string, unknown>>;

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const ALIAS = /^[a-z][a-z0-9_]*$/;

/**
 * Decodes rows to the shape that their query declares, the same for every transport.
 *
 * @param columns Names of the returned columns when the transport knows them (it may not, with no rows). They must be
 * the declared aliases; names that only a row shows must be declared too.
 * @throws AgentMemoryError `internal` naming the statement when names or values are not as declared
 */
export function decodeRows<Shape extends ResultShape>(
  query: Query<Shape>,
  columns: readonly string[] | undefined,
  rows: readonly RawRow[],
): readonly Row<Shape>[] {
  checkColumns(query, columns);
  return rows.map((row) => decodeRow(query, row));
}

function checkColumns(query: Query<ResultShape>, columns: readonly string[] | undefined): void {
  const aliases = Object.keys(query.shape);
  const wrong = aliases.find((alias) => !ALIAS.test(alias));
  if (wrong !== undefined) throw statementFault(query.name, `alias ${wrong} is not lower_snake_case`);
  if (columns === undefined) return;
  const returned = columns.map((column) => column.toLowerCase()).sort();
  if (returned.join() !== [...aliases].sort().join()) {
    throw statementFault(
      query.name,
      `returned columns ${returned.join()} are not the declared ${aliases.join()}`,
    );
  }
}

function decodeRow<Shape extends ResultShape>(query: Query<Shape>, row: RawRow): Row<Shape> {
  const undeclared = Object.keys(row).find((key) => !Object.hasOwn(query.shape, key));
  if (undeclared !== undefined) throw statementFault(query.name, `column ${undeclared} is not declared`);
  const decoded: Record<string, unknown> = {};
  for (const [alias, type] of Object.entries(query.shape)) {
    decoded[alias] = decodeValue(query.name, alias, type, row[alias] ?? null);
  }
  if (!hasShape(query.shape, decoded)) throw statementFault(query.name, 'a row is not complete');
  return decoded;
}

function hasShape<Shape extends ResultShape>(
  shape: Shape,
  row: Readonly<Record<string, unknown>>,
): row is Row<Shape> {
  return Object.keys(shape).every((alias) => Object.hasOwn(row, alias));
}

function decodeValue(statement: string, alias: string, type: ColumnType, value: unknown): unknown {
  if (value === null || value === '') return null;
  if (type === 'number' && typeof value === 'number' && Number.isFinite(value)) return value;
  if (type === 'text' && typeof value === 'string') return value;
  if (type === 'timestamp' && typeof value === 'string' && TIMESTAMP.test(value)) return value;
  if (type === 'boolean' && (value === 0 || value === 1)) return value === 1;
  if (type === 'json' && typeof value === 'string') return parseJson(statement, alias, value);
  throw statementFault(statement, `column ${alias} is not a ${type} (it is a ${typeof value})`);
}

function parseJson(statement: string, alias: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw statementFault(statement, `column ${alias} is not JSON text`);
  }
}
