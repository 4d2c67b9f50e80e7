import type { IndexDefinition } from '../../engine/catalog.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { asText } from '../conversion.ts';
import { postgresName, quoteName, quoteText, textColumnName, writtenColumnName } from '../names.ts';
import type { Environment } from '../scope.ts';
import { condition, number, type Value } from '../value.ts';
import type { Functions } from './call.ts';

/** The open transaction, or NULL when it has written nothing; found once for a statement. */
const OPEN_TRANSACTION = '(SELECT pg_current_xact_id_if_assigned())';

/** CONTAINS and SCORE of Oracle Text, over the hidden column that a text index keeps. */
export const TEXT_SEARCH_FUNCTIONS: Functions = {
  CONTAINS: { count: [2, 3], translate: translateContains },
  SCORE: { count: [1, 1], translate: translateScore },
};

function translateContains(values: readonly Value[], call: CallExpression, environment: Environment): Value {
  const [target, query] = values;
  if (environment.comparesText !== true) {
    throw environment.inCondition === true
      ? new OracleError(920, 'invalid relational operator', { offset: call.offset })
      : new OracleError(904, '"CONTAINS": invalid identifier', { offset: call.offset });
  }
  const column = target?.column;
  const index =
    column?.table === undefined ? undefined : environment.state.catalog.textIndex(column.table, column.name);
  if (query === undefined || column?.table === undefined || index === undefined) {
    throw new OracleError(20000, 'Oracle Text error:\nDRG-10599: column is not indexed', {
      offset: call.offset,
    });
  }
  const words = asText(query, call.offset);
  const vector = `${quoteName(column.alias)}.${textColumnName(column.name)}`;
  const label = labelOf(call, 2) ?? 0;
  if (environment.textQueries?.has(label) === true) {
    throw new OracleError(29907, 'found duplicate labels in primary invocations', { offset: call.offset });
  }
  const statistics = `(SELECT ora.ctx_prepare(${quoteText(postgresName(column.table))}, ${quoteText(`${postgresName(column.name)}$ctx`)}, ${words}))`;
  environment.textQueries?.set(label, `ora.ctx_score(${vector}, ${statistics})`);
  return condition(
    `(${vector} @@ ora.ctx_query(${words}) AND ${isSynced(index, `${quoteName(column.alias)}.${writtenColumnName(column.name)}`)})`,
  );
}

/** Whether the index knows the text that stands in the row; one that it does not know yet is not found at all. */
function isSynced({ name, sync = 'on_commit' }: IndexDefinition, writtenBy: string): string {
  const isLater =
    sync === 'on_commit'
      ? `${writtenBy} IS DISTINCT FROM ${OPEN_TRANSACTION}`
      : `${writtenBy} < (SELECT ora.ctx_synced_before(${quoteText(name)}))`;
  return `(${writtenBy} IS NULL OR ${isLater})`;
}

/** SCORE must stand in the query block of its CONTAINS; ORA-29908 otherwise. */
function translateScore(_values: readonly Value[], call: CallExpression, environment: Environment): Value {
  const score = environment.textQueries?.get(labelOf(call, 0) ?? 0);
  if (score === undefined) {
    throw new OracleError(29908, 'missing primary invocation for ancillary operator', {
      offset: call.offset,
    });
  }
  return number(score);
}

function labelOf(call: CallExpression, index: number): number | undefined {
  const argument = call.arguments[index];
  if (argument === undefined) {
    return undefined;
  }
  if (argument.kind !== 'number' || !/^\d+$/.test(argument.value)) {
    throw new OracleError(29909, 'label for the ancillary operator is not a literal number', {
      offset: call.offset,
    });
  }
  return Number(argument.value);
}
