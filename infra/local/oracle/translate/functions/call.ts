import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { isAggregate } from '../aggregates.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import type { Value } from '../value.ts';
import { translateAggregate } from './aggregate.ts';
import { GENERAL_FUNCTIONS } from './general.ts';
import { JSON_FUNCTIONS } from './json-change.ts';
import { translateRoutineCall } from './json-type.ts';
import { NUMBER_FUNCTIONS } from './number.ts';
import { REGULAR_EXPRESSION_FUNCTIONS } from './regular-expression.ts';
import { callFunction } from './stored-function.ts';
import { TEXT_FUNCTIONS } from './text.ts';
import { TEXT_SEARCH_FUNCTIONS } from './text-search.ts';
import { TIME_FUNCTIONS } from './time.ts';
import { assertNotOracleFunction } from './unsupported.ts';
import { VECTOR_FUNCTIONS } from './vector.ts';
import { EMBEDDING_FUNCTIONS } from './vector-embedding.ts';
import { isWindowFunction, translateWindowFunction } from './window.ts';

/** One function of the allow-list. */
export interface FunctionDefinition {
  /** Smallest and largest number of arguments. */
  readonly count: readonly [number, number];
  readonly translate: (values: readonly Value[], call: CallExpression, environment: Environment) => Value;
}

/** A part of the allow-list, by name. */
export type Functions = Readonly<Record<string, FunctionDefinition>>;

const FUNCTIONS: ReadonlyMap<string, FunctionDefinition> = new Map(
  Object.entries({
    ...GENERAL_FUNCTIONS,
    ...TEXT_FUNCTIONS,
    ...REGULAR_EXPRESSION_FUNCTIONS,
    ...NUMBER_FUNCTIONS,
    ...TIME_FUNCTIONS,
    ...VECTOR_FUNCTIONS,
    ...EMBEDDING_FUNCTIONS,
    ...TEXT_SEARCH_FUNCTIONS,
    ...JSON_FUNCTIONS,
  }),
);

/** A function call. ORA-00904: not on the allow-list; ORA-03001: Oracle has it, the emulator not; ORA-00909 and ORA-00938 or 00939: wrong number of arguments. */
export function translateCall(call: CallExpression, environment: Environment): Value {
  if (call.window !== undefined) {
    return translateWindowFunction(call, environment);
  }
  if (isAggregate(call.name)) {
    return translateAggregate(call, environment);
  }
  if (isWindowFunction(call.name)) {
    throw new OracleError(30484, `missing window specification for function "${call.name}"`, {
      offset: call.offset,
    });
  }
  const local = translateRoutineCall(call, environment);
  if (local !== undefined) {
    return local;
  }
  const definition = FUNCTIONS.get(call.name);
  if (definition === undefined) {
    const stored = environment.state.catalog.storedFunction(call.name);
    if (stored !== undefined) {
      return callFunction(stored, call, environment);
    }
    assertNotOracleFunction(call.name, call.offset);
    throw new OracleError(904, `"${call.name.replaceAll('.', '"."')}": invalid identifier`, {
      offset: call.offset,
    });
  }
  if (call.star || call.distinct || call.withinGroup !== undefined || call.ignoreNulls) {
    throw new OracleError(907, 'missing right parenthesis', { offset: call.offset });
  }
  const [minimum, maximum] = definition.count;
  if (call.arguments.length < minimum) {
    throw new OracleError(938, `not enough arguments for function "${call.name}"`, { offset: call.offset });
  }
  if (call.arguments.length > maximum) {
    throw new OracleError(939, `too many arguments for function "${call.name}"`, { offset: call.offset });
  }
  const values = call.arguments.map((argument) => translateExpression(argument, environment));
  return definition.translate(values, call, environment);
}

/** The value of a literal argument, such as a format. ORA-03001 when it is not one. */
export function literalText(call: CallExpression, index: number): string | undefined {
  const argument = call.arguments[index];
  if (argument === undefined || argument.kind === 'null') {
    return undefined;
  }
  if (argument.kind !== 'text') {
    throw new OracleError(
      3001,
      `unimplemented feature: argument ${index + 1} of ${call.name} must be a literal`,
      {
        offset: argument.offset,
      },
    );
  }
  return argument.value;
}
