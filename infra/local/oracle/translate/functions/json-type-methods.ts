import { OracleError } from '../../sql/oracle-error.ts';
import { PLSQL_JSON_TYPES, type PlsqlJsonType } from '../../sql/oracle-type.ts';
import { asNumeric, asText } from '../conversion.ts';
import { BOOLEAN, CLOB, isPlsqlJson, JSON_TYPE, number, text, type Value } from '../value.ts';

type Method = (self: string, values: readonly Value[], offset: number) => Value;

/** Object types for JSON in memory. */
export type JsonTypeName = Exclude<PlsqlJsonType, 'JSON_KEY_LIST'>;

interface MethodDefinition {
  readonly count: number;
  readonly translate: Method;
}

const truth = (sql: string): Value => ({ sql: `(${sql})`, type: BOOLEAN });
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

/** `GET` of a field or an element, and its forms for one type: NULL for a value of another one. */
function getters(
  member: (self: string, values: readonly Value[], offset: number) => string,
): Readonly<Record<string, MethodDefinition>> {
  const getter = (convert: (sql: string) => Value): MethodDefinition => ({
    count: 1,
    translate: (self, values, offset) => convert(member(self, values, offset)),
  });
  const ofType = (kind: JsonTypeName) => getter((sql) => ({ sql: treated(sql, kind), type: { kind } }));
  return {
    GET: getter((sql) => ({ sql, type: { kind: 'JSON_ELEMENT_T' } })),
    GET_OBJECT: ofType('JSON_OBJECT_T'),
    GET_ARRAY: ofType('JSON_ARRAY_T'),
    GET_STRING: getter((sql) => text(`ora.json_string(${sql})`)),
    GET_NUMBER: getter((sql) => number(`ora.json_numeral(${sql})`)),
  };
}

const METHODS: Readonly<Record<PlsqlJsonType, Readonly<Record<string, MethodDefinition>>>> = {
  JSON_ELEMENT_T: ELEMENT_METHODS,
  JSON_SCALAR_T: ELEMENT_METHODS,
  JSON_OBJECT_T: {
    ...ELEMENT_METHODS,
    ...getters((self, values, offset) => `(${own(self)} -> ${key(values, offset)})`),
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
    ...getters((self, values, offset) => `ora.json_item(${self}, ${position(values, offset)})`),
  },
  JSON_KEY_LIST: { COUNT: { count: 0, translate: (self) => number(`ora.list_count(${self})`) } },
};

/** Methods that Oracle has and the emulator lacks. */
const UNSUPPORTED_METHODS: ReadonlySet<string> = new Set(
  `APPEND APPEND_NULL CLONE GET_BLOB GET_BOOLEAN GET_CLOB GET_DATE GET_TIMESTAMP GET_TYPE IS_DATE IS_TIMESTAMP MERGEPATCH ON_ERROR
   PATCH PUT PUT_NULL REMOVE RENAME_KEY TO_BLOB TO_BOOLEAN TO_DATE TO_NUMBER TO_TIMESTAMP`.split(/\s+/),
);

/** The method of a value, called with these arguments. PLS-00302: its type has none of this name. */
export function invoke(self: Value, name: string, values: readonly Value[], offset: number): Value {
  const { type } = self;
  const method = isPlsqlJson(type) ? METHODS[type.kind][name] : undefined;
  if (method === undefined && isPlsqlJson(type) && UNSUPPORTED_METHODS.has(name)) {
    throw new OracleError(3001, `unimplemented feature: the method ${name} of ${type.kind}`, { offset });
  }
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

/** Whether a name is that of an object type for JSON. */
export function isJsonType(name: string): name is JsonTypeName {
  return PLSQL_JSON_TYPES.some((type) => type === name && type !== 'JSON_KEY_LIST');
}

/** The value when it is of the type, otherwise NULL. */
export function treated(sql: string, type: JsonTypeName): string {
  return `ora.json_treat(${sql}, '${type}')`;
}

function key([name]: readonly Value[], offset: number): string {
  return asText(name ?? { sql: 'NULL', type: undefined }, offset);
}

/** A position as PostgreSQL's `numeric`. */
export function position([index]: readonly Value[], offset: number): string {
  return asNumeric(index ?? { sql: 'NULL', type: undefined }, offset);
}
