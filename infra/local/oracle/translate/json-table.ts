import { OracleError } from '../sql/oracle-error.ts';
import type { JsonTableColumn, TableReference } from '../sql/query-syntax.ts';
import type { JsonHandling } from '../sql/syntax-tree.ts';
import { translateExpression } from './expression.ts';
import { emptyIsError, fragmentHandling } from './functions/json-path.ts';
import { translateJsonPathText } from './functions/json-path-syntax.ts';
import { jsonDocument, jsonFragment, jsonScalar } from './functions/json-value.ts';
import { quoteName, quoteText } from './names.ts';
import type { Environment, ScopeColumn, TranslatedQuery } from './scope.ts';
import { NUMBER, type Value } from './value.ts';

type JsonTable = TableReference & { readonly kind: 'json_table' };

interface Output {
  readonly name: string;
  readonly value: Value;
}

/** What the error and empty clauses before COLUMNS say; Oracle applies them to every column. */
interface Defaults {
  readonly onError: JsonHandling | undefined;
  readonly onEmpty: JsonHandling | undefined;
}

/** `JSON_TABLE(…)` as a subquery: PostgreSQL finds the parts as `jsonb`, and Oracle's conversions run on them. */
export function translateJsonTable(table: JsonTable, environment: Environment): TranslatedQuery {
  const strict = table.onError === 'ERROR';
  const document = jsonDocument(translateExpression(table.document, environment), strict, table.offset);
  const outputs: Output[] = [];
  const definitions = table.columns.map((column) => translateColumn(column, table, outputs, table.offset));
  const path = quoteText(translateJsonPathText(table.path, table.offset));
  const list = outputs.map(({ name, value }) => `${value.sql} AS ${quoteName(name)}`).join(', ');
  checkNames(outputs, table.offset);
  const columns: readonly ScopeColumn[] = outputs.map(({ name, value }) => ({
    name,
    type: value.type,
    bounded: value.bounded === true,
  }));
  const rows = `JSON_TABLE(${document}, ${path} COLUMNS (${definitions.join(', ')})${strict ? ' ERROR ON ERROR' : ''})`;
  return { sql: `SELECT ${list} FROM ${rows} AS jt`, columns };
}

function checkNames(outputs: readonly Output[], offset: number): void {
  const names = outputs.map((output) => output.name);
  const duplicate = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicate !== undefined) {
    throw new OracleError(918, `${duplicate}: column ambiguously specified`, { offset });
  }
}

function translateColumn(
  column: JsonTableColumn,
  defaults: Defaults,
  outputs: Output[],
  offset: number,
): string {
  const name = quoteName(column.name);
  const reference = `jt.${name}`;
  switch (column.kind) {
    case 'nested': {
      const path = quoteText(translateJsonPathText(column.path ?? '$', offset));
      const nested = column.columns.map((inner) => translateColumn(inner, defaults, outputs, offset));
      return `NESTED PATH ${path} COLUMNS (${nested.join(', ')})`;
    }
    case 'ordinality':
      outputs.push({ name: column.name, value: { sql: `${reference}::numeric`, type: NUMBER } });
      return `${name} FOR ORDINALITY`;
    case 'exists':
      outputs.push({ name: column.name, value: existsValue(column, reference, offset) });
      return `${name} boolean EXISTS PATH ${pathOf(column, offset)}`;
    case 'value':
      outputs.push({ name: column.name, value: columnOutput(column, defaults, reference, offset) });
      return `${name} jsonb${columnClauses(column, defaults, offset)}`;
  }
}

function pathOf(column: JsonTableColumn, offset: number): string {
  return quoteText(translateJsonPathText(column.path ?? `$."${column.name}"`, offset));
}

function existsValue(column: JsonTableColumn, reference: string, offset: number): Value {
  switch (column.type?.kind) {
    case 'NUMBER':
      return { sql: `(${reference})::integer::numeric`, type: NUMBER };
    case 'BOOLEAN':
      return { sql: reference, type: column.type };
    case 'VARCHAR2':
      return { sql: `(${reference})::text`, type: column.type };
    default:
      throw new OracleError(40449, 'invalid data type for return value', { offset });
  }
}

function isFragment(column: JsonTableColumn): boolean {
  return column.formatJson || column.type?.kind === 'JSON';
}

function columnOutput(column: JsonTableColumn, defaults: Defaults, reference: string, offset: number): Value {
  const strict = (column.onError ?? defaults.onError) === 'ERROR';
  if (column.type === undefined) {
    throw new OracleError(902, 'invalid datatype', { offset });
  }
  return isFragment(column)
    ? jsonFragment(reference, column.type, strict, offset)
    : jsonScalar(reference, column.type, strict, offset);
}

function columnClauses(column: JsonTableColumn, defaults: Defaults, offset: number): string {
  const onError = column.onError ?? defaults.onError;
  const onEmpty = column.onEmpty ?? defaults.onEmpty;
  const wrapper = {
    WITHOUT: '',
    WITH: ' WITH UNCONDITIONAL WRAPPER',
    'WITH CONDITIONAL': ' WITH CONDITIONAL WRAPPER',
  }[column.wrapper];
  const error = fragmentHandling(onError, 'NULL', offset);
  const empty = emptyIsError(onError, onEmpty) ? 'ERROR' : fragmentHandling(onEmpty, 'NULL', offset);
  return ` PATH ${pathOf(column, offset)}${wrapper} ${empty} ON EMPTY ${error} ON ERROR`;
}
