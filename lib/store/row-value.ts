import { statementFault } from '../sql/statement-fault.ts';

/**
 * A value of a row that the statement never leaves NULL.
 *
 * @throws AgentMemoryError `internal` naming the statement
 */
export function present<Value>(statement: string, column: string, value: Value | null): Value {
  if (value === null) throw statementFault(statement, `column ${column} is NULL`);
  return value;
}

/**
 * One of a closed list of texts.
 *
 * @throws AgentMemoryError `internal` naming the statement
 */
export function oneOf<Value extends string>(
  statement: string,
  column: string,
  values: readonly Value[],
  text: string | null,
): Value {
  const found = values.find((value) => value === text);
  if (found === undefined) throw statementFault(statement, `column ${column} holds an unknown value`);
  return found;
}
