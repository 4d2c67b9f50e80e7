import { OracleError } from '../../sql/oracle-error.ts';
import { PLSQL_JSON_TYPES, type PlsqlJsonType } from '../../sql/oracle-type.ts';
import type { CallExpression, Expression, Identifier } from '../../sql/syntax-tree.ts';
import { asNumeric, asText } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import type { Environment } from '../scope.ts';
import { BOOLEAN, CLOB, isPlsqlJson, isText, JSON_TYPE, number, text, type Value } from '../value.ts';
import { callFunction } from './stored-function.ts';

type Method = (self: string, values: readonly Value[], offset: number) => Value;

type JsonTypeName = Exclude<PlsqlJsonType, 'JSON_KEY_LIST'>;

interface MethodDefinition {
  readonly count: number;
  readonly translate: Method;
}

const truth = (sql: string): Value => ({ sql: `(${sql})`, type: BOOLEAN });
const element = (sql: string): Value => ({ sql, type: { kind: 'JSON_ELEMENT_T' } });
/** The value itself; ORA-30625 when there is none. */
const own = (self: string): string => `ora.json_self(${self})`;
const isOfType = (type: string): MethodDefinition => ({
  count: 0,
  translate: (self) => truth(`jsonb_typeof(${own(self)}) = '${type}'`),
});
const isValue = (json: string): MethodDefinition => ({
  count: 0,
  translate: (self) => truth(`${own(self)} = '${json}'::jsonb`),
});
const asTextOfType = (type: (sql: string) => Value): MethodDefinition => ({
  count: 0,
  translate: (self) => type(`ora.json_compact(${own(self)}::text)`),
});

/** Methods of every JSON value (PL/SQL Packages and Types Reference, "JSON Data Structures"); those that change one are not supported. */
const ELEMENT_METHODS: Readonly<Record<string, MethodDefinition>> = {
  IS_OBJECT: isOfType('object'),
  IS_ARRAY: isOfType('array'),
  IS_SCALAR: {
    count: 0,
    translate: (self) => truth(`jsonb_typeof(${own(self)}) NOT IN ('object', 'array')`),
  },
  IS_STRING: isOfType('string'),
  IS_NUMBER: isOfType('number'),
  IS_BOOLEAN: isOfType('boolean'),
  IS_TRUE: isValue('true'),
  IS_FALSE: isValue('false'),
  IS_NULL: isOfType('null'),
  GET_SIZE: { count: 0, translate: (self) => number(`ora.json_size(${self})`) },
  TO_JSON: { count: 0, translate: (self) => ({ sql: own(self), type: JSON_TYPE }) },
  TO_CLOB: asTextOfType((sql) => ({ sql, type: CLOB })),
  TO_STRING: asTextOfType(text),
  STRINGIFY: asTextOfType(text),
};

const METHODS: Readonly<Record<PlsqlJsonType, Readonly<Record<string, MethodDefinition>>>> = {
  JSON_ELEMENT_T: ELEMENT_METHODS,
  JSON_SCALAR_T: ELEMENT_METHODS,
  JSON_OBJECT_T: {
    ...ELEMENT_METHODS,
    GET: {
      count: 1,
      translate: (self, values, offset) => element(`(${own(self)} -> ${key(values, offset)})`),
    },
    HAS: {
      count: 1,
      translate: (self, values, offset) => truth(`COALESCE(${own(self)} ? ${key(values, offset)}, FALSE)`),
    },
    GET_KEYS: {
      count: 0,
      translate: (self) => ({
        sql: `NULLIF(jsonb_path_query_array(${own(self)}, '$.keyvalue().key'), '[]'::jsonb)`,
        type: { kind: 'JSON_KEY_LIST' },
      }),
    },
  },
  JSON_ARRAY_T: {
    ...ELEMENT_METHODS,
    GET: {
      count: 1,
      translate: (self, values, offset) => element(`ora.json_item(${self}, ${position(values, offset)})`),
    },
  },
  JSON_KEY_LIST: { COUNT: { count: 0, translate: (self) => number(`ora.list_count(${self})`) } },
};

/** Functions of SQL that an expression of PL/SQL may not call. */
const SQL_ONLY: ReadonlySet<string> = new Set(['DECODE', 'NVL2', 'ORA_HASH', 'STANDARD_HASH']);

function key([name]: readonly Value[], offset: number): string {
  return asText(name ?? { sql: 'NULL', type: undefined }, offset);
}

function position([index]: readonly Value[], offset: number): string {
  return asNumeric(index ?? { sql: 'NULL', type: undefined }, offset);
}

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
  return { sql: `ora.json_treat(${operand.sql}, '${name}')`, type: { kind: name } };
}

function isJsonType(name: string): name is JsonTypeName {
  return PLSQL_JSON_TYPES.some((type) => type === name && type !== 'JSON_KEY_LIST');
}

function invoke(self: Value, name: string, values: readonly Value[], offset: number): Value {
  const { type } = self;
  const method = isPlsqlJson(type) ? METHODS[type.kind][name] : undefined;
  if (method === undefined) {
    throw new OracleError(6550, `PLS-00302: component '${name}' must be declared`, { offset });
  }
  if (values.length !== method.count) {
    throw new OracleError(6553, `PLS-306: wrong number or types of arguments in call to '${name}'`, {
      offset,
    });
  }
  return method.translate(self.sql, values, offset);
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

/** `JSON_OBJECT_T(x)`, `JSON_ELEMENT_T.PARSE(text)` and `.LOAD(json)`. */
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
  const isTaken = (takesText && isText(value?.type)) || (takesJson && value?.type?.kind === 'JSON');
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
