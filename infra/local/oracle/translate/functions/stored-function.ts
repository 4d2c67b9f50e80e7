import type { FunctionDefinition } from '../../engine/catalog.ts';
import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression, Identifier } from '../../sql/syntax-tree.ts';
import { convert } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import { isAssignable } from '../implicit-conversion.ts';
import { type Environment, invalidIdentifier } from '../scope.ts';
import { postgresType, type Value } from '../value.ts';

/** A call of a stored function, or of one that is declared inside the one that is translated. */
export function callFunction(
  definition: FunctionDefinition,
  call: CallExpression,
  environment: Environment,
): Value {
  const isPlain = !call.star && !call.distinct && call.withinGroup === undefined && !call.ignoreNulls;
  if (!isPlain || call.arguments.length !== definition.parameters.length) {
    throw wrongArguments(definition, call.offset);
  }
  const values = call.arguments.map((argument) => translateExpression(argument, environment));
  return { sql: callText(definition, values, call.offset, environment), type: definition.returns };
}

/** A function without parameters is called without parentheses too. Undefined: there is no such function. */
export function translateBareCall(name: Identifier, environment: Environment): Value | undefined {
  const { catalog, context } = environment.state;
  const definition = context.routine?.localFunction(name.name) ?? catalog.storedFunction(name.name);
  if (definition === undefined) {
    return undefined;
  }
  if (definition.parameters.length > 0) {
    throw wrongArguments(definition, name.offset);
  }
  return { sql: callText(definition, [], name.offset, environment), type: definition.returns };
}

function callText(
  definition: FunctionDefinition,
  values: readonly Value[],
  offset: number,
  environment: Environment,
): string {
  checkPlace(definition, offset, environment);
  const depth = environment.state.context.routine?.depth ?? '0';
  const converted = definition.parameters.map(({ type }, index) => {
    const value = values[index];
    if (value === undefined || (value.type !== undefined && !isAssignable(value.type, type))) {
      throw wrongArguments(definition, offset);
    }
    return convert(value, type, offset);
  });
  return `${definition.postgresName}(${[depth, ...converted].join(', ')})`;
}

/** ORA-00904 in a CHECK condition, ORA-04044 in the default of a column. */
function checkPlace({ name }: FunctionDefinition, offset: number, environment: Environment): void {
  if (environment.inCheck === true) {
    throw invalidIdentifier([{ name, offset }]);
  }
  if (environment.restricted === true && environment.state.context.routine === undefined) {
    throw new OracleError(4044, 'procedure, function, package, or type is not allowed here', { offset });
  }
}

function wrongArguments({ name }: FunctionDefinition, offset: number): OracleError {
  return new OracleError(6553, `PLS-306: wrong number or types of arguments in call to '${name}'`, {
    offset,
  });
}

/** PostgreSQL's statements that remove a stored function with what is declared inside. */
export function dropFunctions(definition: FunctionDefinition): readonly string[] {
  return [postgresSignature(definition), ...definition.inner].map(
    (signature) => `DROP FUNCTION ${signature}`,
  );
}

/** `"NAME"(integer, jsonb)`. */
export function postgresSignature({ postgresName, parameters }: FunctionDefinition): string {
  const types = ['integer', ...parameters.map(({ type }) => postgresType(type))];
  return `${postgresName}(${types.join(', ')})`;
}
