import { OracleError } from '../sql/oracle-error.ts';
import { tokenize } from '../sql/tokenizer.ts';
import { postgresName } from '../translate/names.ts';
import type { Catalog } from './catalog.ts';

/** What `postgresName` makes of a long name. */
const SHORTENED = /[\w$#]{36}\$[0-9a-f]{16}/gi;

/** The error with Oracle's names in place of those that PostgreSQL knows long names by. */
export function restoreLongNames(error: unknown, text: string, catalog: Catalog): unknown {
  if (!(error instanceof OracleError) || error.message.match(SHORTENED) === null) {
    return error;
  }
  const names = new Map([...namesOf(text, catalog)].map((name) => [postgresName(name).toUpperCase(), name]));
  const message = error.message.replace(SHORTENED, (short) => names.get(short.toUpperCase()) ?? short);
  const { number, offset } = error;
  return new OracleError(number, message.slice(message.indexOf(': ') + 2), { offset, cause: error });
}

/** Names of the schema, and those that the statement is about to create. */
function* namesOf(text: string, catalog: Catalog): Generator<string> {
  for (const token of tokenize(text)) {
    yield token.value;
  }
  for (const { name, columns, constraints } of catalog.tables()) {
    yield name;
    yield* columns.map((column) => column.name);
    yield* constraints.map((constraint) => constraint.name);
  }
  yield* catalog.indexes().map((index) => index.name);
}
