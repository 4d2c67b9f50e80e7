import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import { unify } from '../common-type.ts';
import { comparable } from '../comparison.ts';
import { asNumber, asRaw, asText, convert } from '../conversion.ts';
import { quoteText, SCHEMA_NAME } from '../names.ts';
import { inconsistent, isText, number, text, typeName, type Value } from '../value.ts';
import { type Functions, literalText } from './call.ts';

const USER_PARAMETERS: ReadonlySet<string> = new Set(['CURRENT_SCHEMA', 'CURRENT_USER', 'SESSION_USER']);
/** NULL outside jobs, and there are none here. */
const JOB_PARAMETERS: ReadonlySet<string> = new Set(['BG_JOB_ID', 'FG_JOB_ID']);
const HASHES: ReadonlySet<string> = new Set(['SHA1', 'SHA256', 'SHA384', 'SHA512', 'MD5']);

/** Functions on values of any type: NULL handling, choice, RAW and hashes. */
export const GENERAL_FUNCTIONS: Functions = {
  NVL: {
    count: [2, 2],
    translate: ([value, substitute], call) =>
      choose(required(value), [required(value), required(substitute)], call.offset),
  },
  NVL2: {
    count: [3, 3],
    translate: ([test, present, absent], call) => {
      const [first, second] = [required(present), required(absent)];
      const type = first.type ?? second.type;
      const branches =
        type === undefined
          ? ['NULL::text', 'NULL::text']
          : [first, second].map((value) => convert(value, type, call.offset));
      return {
        sql: `(CASE WHEN ${required(test).sql} IS NOT NULL THEN ${branches[0]} ELSE ${branches[1]} END)`,
        type,
      };
    },
  },
  COALESCE: {
    count: [2, 255],
    translate: (values, call) => {
      const unified = unify(values, (expected, actual) =>
        inconsistent(typeName(expected), actual, call.offset),
      );
      return { sql: `COALESCE(${unified.values.join(', ')})`, type: unified.type };
    },
  },
  NULLIF: {
    count: [2, 2],
    translate: ([left, right], call) => {
      const first = required(left);
      if (first.type === undefined) {
        throw inconsistent('-', undefined, call.offset);
      }
      const [a, b] = comparable(first, required(right), call.offset);
      return { sql: `(CASE WHEN ${a} = ${b} THEN NULL ELSE ${first.sql} END)`, type: first.type };
    },
  },
  DECODE: { count: [3, 255], translate: translateDecode },
  GREATEST: { count: [1, 255], translate: (values, call) => extreme('GREATEST', values, call.offset) },
  LEAST: { count: [1, 255], translate: (values, call) => extreme('LEAST', values, call.offset) },
  SYS_CONTEXT: {
    count: [2, 3],
    translate: ([namespace, attribute, length], call) => {
      if (literalText(call, 0)?.toUpperCase() === 'USERENV') {
        return text(userParameter((literalText(call, 1) ?? '').toUpperCase(), call.offset));
      }
      const texts = [namespace, attribute].map((value) => asText(required(value), call.offset));
      const maximum = length === undefined ? '256' : `(${asNumber(length, call.offset).sql})::integer`;
      // As a subquery it is asked once for a statement, and not for every row.
      return text(`(SELECT ora.sys_context(${texts.join(', ')}, ${maximum}))`);
    },
  },
  SYS_GUID: {
    count: [0, 0],
    translate: () => ({ sql: `uuid_send(gen_random_uuid())`, type: { kind: 'RAW', length: 16 } }),
  },
  RAWTOHEX: {
    count: [1, 1],
    translate: ([value], call) => text(`upper(encode(${asRaw(required(value), call.offset)}, 'hex'))`),
  },
  HEXTORAW: {
    count: [1, 1],
    translate: ([value], call) => ({
      sql: `ora.hex_to_raw(${asText(required(value), call.offset)})`,
      type: { kind: 'RAW', length: 2000 },
    }),
  },
  STANDARD_HASH: {
    count: [1, 2],
    translate: ([value], call) => {
      const algorithm = (literalText(call, 1) ?? 'SHA1').toUpperCase();
      if (!HASHES.has(algorithm)) {
        throw new OracleError(1760, 'illegal argument for function', { offset: call.offset });
      }
      const { type, sql } = required(value);
      const bytes =
        type?.kind === 'RAW' ? sql : `convert_to(${asText(required(value), call.offset)}, 'UTF8')`;
      return { sql: `ora.hash(${bytes}, '${algorithm}')`, type: { kind: 'RAW', length: 64 } };
    },
  },
  ORA_HASH: {
    count: [1, 2],
    translate: ([value, buckets], call) => {
      const limit = buckets === undefined ? '4294967295' : convert(buckets, { kind: 'NUMBER' }, call.offset);
      return number(
        `mod((hashtext(${asText(required(value), call.offset)})::bigint + 2147483648)::numeric, ${limit} + 1)`,
      );
    },
  },
  'DBMS_LOB.GETLENGTH': {
    count: [1, 1],
    translate: ([value], call) => {
      const lob = required(value);
      return number(
        lob.type?.kind === 'BLOB' || lob.type?.kind === 'RAW'
          ? `octet_length(${lob.sql})::numeric`
          : `char_length(${asText(lob, call.offset)})::numeric`,
      );
    },
  },
  'DBMS_LOB.COMPARE': {
    count: [2, 2],
    translate: ([left, right], call) =>
      number(`ora.compare(${asText(required(left), call.offset)}, ${asText(required(right), call.offset)})`),
  },
  TO_CLOB: {
    count: [1, 1],
    translate: ([value], call) => ({ sql: asText(required(value), call.offset), type: { kind: 'CLOB' } }),
  },
};

function required(value: Value | undefined): Value {
  if (value === undefined) {
    throw new OracleError(938, 'not enough arguments for function');
  }
  return value;
}

/** COALESCE with the type of the first value, or of the second when the first is NULL. */
function choose(first: Value, values: readonly Value[], offset: number): Value {
  const type = first.type ?? values.at(-1)?.type;
  if (type === undefined) {
    return { sql: 'NULL', type };
  }
  const wide =
    type.kind === 'VARCHAR2' && values.some((value) => value.type?.kind === 'CLOB')
      ? ({ kind: 'CLOB' } as const)
      : type;
  return {
    sql: `COALESCE(${values.map((value) => convert(value, wide, offset)).join(', ')})`,
    type: unbound(wide),
  };
}

/** VARCHAR2 results may be as long as any argument. */
function unbound(type: OracleType): OracleType {
  return type.kind === 'VARCHAR2'
    ? { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' }
    : type.kind === 'NUMBER'
      ? { kind: 'NUMBER' }
      : type;
}

/** A parameter of USERENV. ORA-02003: there is none of this name here. */
function userParameter(parameter: string, offset: number): string {
  if (JOB_PARAMETERS.has(parameter)) {
    return 'NULL::text';
  }
  if (!USER_PARAMETERS.has(parameter)) {
    throw new OracleError(2003, 'invalid USERENV parameter', { offset });
  }
  return `${quoteText(SCHEMA_NAME)}::text`;
}

/** NULL matches NULL. All results take the type of the first. */
function translateDecode(values: readonly Value[], call: { readonly offset: number }): Value {
  const [operand, ...rest] = values;
  const subject = required(operand);
  const pairs: (readonly [Value, Value])[] = [];
  for (let index = 0; index + 1 < rest.length; index += 2) {
    pairs.push([required(rest[index]), required(rest[index + 1])]);
  }
  const otherwise: Value = rest.length % 2 === 1 ? required(rest.at(-1)) : { sql: 'NULL', type: undefined };
  const results = [...pairs.map(([, result]) => result), otherwise];
  const first = results.find((result) => result.type !== undefined)?.type;
  const branches = pairs.map(([search, result]) => {
    const [a, b] = comparable(subject, search, call.offset);
    const test = search.type === undefined ? `${subject.sql} IS NULL` : `${a} IS NOT DISTINCT FROM ${b}`;
    return `WHEN ${test} THEN ${first === undefined ? 'NULL::text' : convert(result, first, call.offset)}`;
  });
  const last = first === undefined ? 'NULL::text' : convert(otherwise, first, call.offset);
  return {
    sql: `(CASE ${branches.join(' ')} ELSE ${last} END)`,
    type: first === undefined ? undefined : unbound(first),
  };
}

/** NULL when any argument is NULL, unlike PostgreSQL's. */
function extreme(name: 'GREATEST' | 'LEAST', values: readonly Value[], offset: number): Value {
  const type = values.find((value) => value.type !== undefined)?.type;
  if (type === undefined) {
    return { sql: 'NULL', type };
  }
  if (isText(type) && type.kind === 'CLOB') {
    throw inconsistent('-', type, offset);
  }
  const converted = values.map((value) => convert(value, type, offset));
  const nullTest = converted.map((sql) => `${sql} IS NULL`).join(' OR ');
  return {
    sql: `(CASE WHEN ${nullTest} THEN NULL ELSE ${name}(${converted.join(', ')}) END)`,
    type: unbound(type),
  };
}
