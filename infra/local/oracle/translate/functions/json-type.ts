import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression, Expression, Identifier } from '../../sql/syntax-tree.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { isPlsqlJson, isText, text, type Value } from '../value.ts';
import { invoke, isJsonType, type JsonTypeName, position, treated } from './json-type-methods.ts';
import { callFunction } from './stored-function.ts';

/** Functions of SQL that an expression of PL/SQL may not call. */
const SQL_ONLY: ReadonlySet<string> = new Set(['DECODE', 'NVL2', 'ORA_HASH', 'STANDARD_HASH']);

/** `variable.method` without arguments. Undefined when the first name is no variable of the stored function. */
export function translateMember(path: readonly Identifier[], environment: Environment): Value | undefined {
  const [first, ...methods] = path;
  if (first === undefined || environment.state.context.routine === undefined) {
    return undefined;
  }
  const variable = environment.state.variable(first.name);
  return variable && methods.reduce((self, { name, offset }) => invoke(self, name, [], offset), variable);
}

/**
 * A call that means something else in a stored function than in SQL: an element of a list, a function that is declared
 * in the stored function, a method of a variable, or a static method. Undefined for any other call.
 */
export function translateRoutineCall(call: CallExpression, environment: Environment): Value | undefined {
  const { context } = environment.state;
  if (context.routine === undefined) {
    return undefined;
  }
  const local = context.routine.localFunction(call.name);
  if (local !== undefined) {
    return callFunction(local, call, environment);
  }
  if (SQL_ONLY.has(call.name)) {
    throw new OracleError(
      6550,
      `PLS-00204: function or pseudo-column '${call.name}' may be used inside a SQL statement only`,
      { offset: call.offset },
    );
  }
  const variable = environment.state.variable(call.name);
  const [first = '', ...methods] = call.name.split('.');
  const self = methods.length === 0 ? undefined : environment.state.variable(first);
  const evaluate = () => call.arguments.map((argument) => translateExpression(argument, environment));
  if (variable !== undefined) {
    return listElement(variable, evaluate(), call);
  }
  if (self === undefined) {
    return isJsonType(first) ? create(first, methods, evaluate(), call) : undefined;
  }
  const last = methods.pop() ?? '';
  const target = methods.reduce((value, name) => invoke(value, name, [], call.offset), self);
  return invoke(target, last, evaluate(), call.offset);
}

/** A method of what a call gives. */
export function translateMethod(
  expression: Expression & { kind: 'method' },
  environment: Environment,
): Value {
  const self = translateExpression(expression.operand, environment);
  const values = expression.arguments.map((argument) => translateExpression(argument, environment));
  return invoke(self, expression.name, values, expression.offset);
}

/** `TREAT(x AS JSON_OBJECT_T)`: NULL when the value is of another type. */
export function translateTreat(expression: Expression & { kind: 'treat' }, environment: Environment): Value {
  const operand = translateExpression(expression.operand, environment);
  const { name, offset } = expression.type;
  if (!isPlsqlJson(operand.type) || !isJsonType(name)) {
    throw new OracleError(
      3001,
      `unimplemented feature: TREAT AS ${name} of ${operand.type?.kind ?? 'NULL'}`,
      {
        offset,
      },
    );
  }
  return { sql: treated(operand.sql, name), type: { kind: name } };
}

/** `list(i)`, counted from 1. */
function listElement(variable: Value, values: readonly Value[], call: CallExpression): Value {
  if (variable.type?.kind !== 'JSON_KEY_LIST' || values.length !== 1) {
    throw new OracleError(
      6550,
      `PLS-00224: object '${call.name}' must be of type function or array to be used this way`,
      { offset: call.offset },
    );
  }
  return text(`ora.list_item(${variable.sql}, ${position(values, call.offset)})`);
}

/** `JSON_OBJECT_T(x)` of text, JSON or an element, `JSON_ELEMENT_T.PARSE(text)` and `.LOAD(json)`. */
function create(
  name: JsonTypeName,
  methods: readonly string[],
  values: readonly Value[],
  { offset }: CallExpression,
): Value {
  const [value] = values;
  const [method] = methods;
  const isConstructor = method === undefined && (name === 'JSON_OBJECT_T' || name === 'JSON_ARRAY_T');
  const takesText = isConstructor || method === 'PARSE';
  const takesJson = isConstructor || method === 'LOAD';
  if (methods.length > 1 || !(takesText || takesJson)) {
    throw new OracleError(6550, `PLS-00302: component '${method ?? name}' must be declared`, { offset });
  }
  const isTaken =
    (takesText && isText(value?.type)) ||
    (takesJson && value?.type?.kind === 'JSON') ||
    (isConstructor && value?.type?.kind === 'JSON_ELEMENT_T');
  if (value === undefined || values.length > 1 || !isTaken) {
    throw new OracleError(
      6553,
      `PLS-306: wrong number or types of arguments in call to '${method ?? name}'`,
      {
        offset,
      },
    );
  }
  const json = isText(value.type) ? `ora.json(${value.sql})` : value.sql;
  return { sql: `ora.json_create(${json}, '${name}')`, type: { kind: name } };
}
