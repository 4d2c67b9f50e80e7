import { OracleError } from '../../sql/oracle-error.ts';
import type { OracleType } from '../../sql/oracle-type.ts';
import type { CallExpression, Expression } from '../../sql/syntax-tree.ts';
import { asNumeric, asText, asTime } from '../conversion.ts';
import { translateExpression } from '../expression.ts';
import { quoteText } from '../names.ts';
import type { Environment } from '../scope.ts';
import {
  DATE,
  INTERVAL,
  inconsistent,
  isTime,
  number,
  TIMESTAMP,
  TIMESTAMP_TZ,
  text,
  type Value,
} from '../value.ts';
import { type FunctionDefinition, type Functions, literalText } from './call.ts';
import { parseTimeFormat, toPostgresFormat, toReadElements } from './time-format.ts';

/** Functions on dates, timestamps and intervals. */
export const TIME_FUNCTIONS: Functions = {
  TO_DATE: reading('TO_DATE', DATE),
  TO_TIMESTAMP: reading('TO_TIMESTAMP', TIMESTAMP),
  TO_TIMESTAMP_TZ: reading('TO_TIMESTAMP_TZ', TIMESTAMP_TZ),
  SYS_EXTRACT_UTC: {
    count: [1, 1],
    translate: ([value], call) => ({ sql: `(${time(value, call).sql})::timestamp`, type: TIMESTAMP }),
  },
  NUMTODSINTERVAL: interval({ DAY: 'day', HOUR: 'hour', MINUTE: 'minute', SECOND: 'second' }, true),
  NUMTOYMINTERVAL: interval({ YEAR: 'year', MONTH: 'month' }, false),
  TO_DSINTERVAL: {
    count: [1, 1],
    translate: ([value], call) => ({
      sql: `ora.to_ds_interval(${asText(required(value, call), call.offset)})`,
      type: INTERVAL,
      daysOnly: true,
    }),
  },
  ADD_MONTHS: {
    count: [2, 2],
    translate: ([value, months], call) => ({
      sql: `ora.add_months((${time(value, call).sql})::timestamp, ${asNumeric(required(months, call), call.offset)})::timestamp(0)`,
      type: DATE,
    }),
  },
  LAST_DAY: {
    count: [1, 1],
    translate: ([value], call) => ({
      sql: `ora.last_day((${time(value, call).sql})::timestamp)::timestamp(0)`,
      type: DATE,
    }),
  },
  MONTHS_BETWEEN: {
    count: [2, 2],
    translate: ([later, earlier], call) =>
      number(
        `ora.months_between((${time(later, call).sql})::timestamp, (${time(earlier, call).sql})::timestamp)`,
      ),
  },
};

function required(value: Value | undefined, call: CallExpression): Value {
  if (value === undefined) {
    throw new OracleError(938, `not enough arguments for function "${call.name}"`, { offset: call.offset });
  }
  return value;
}

function time(value: Value | undefined, call: CallExpression): Value {
  return asTime(required(value, call), call.offset);
}

function reading(name: string, type: OracleType): FunctionDefinition {
  return {
    count: [1, 2],
    translate: ([value], call) => {
      const operand = required(value, call);
      if (isTime(operand.type) && call.arguments.length === 1) {
        return {
          sql:
            type.kind === 'DATE'
              ? operand.sql
              : `(${operand.sql})::${type.kind === 'TIMESTAMP' && type.timeZone ? 'timestamptz' : 'timestamp'}`,
          type,
        };
      }
      const format = literalText(call, 1);
      if (format === undefined) {
        throw new OracleError(3001, `unimplemented feature: ${name} without a format`, {
          offset: call.offset,
        });
      }
      const isDate = type.kind === 'DATE';
      const timeZone = type.kind === 'TIMESTAMP' && type.timeZone;
      const elements = toReadElements(parseTimeFormat(format, call.offset), isDate, timeZone, call.offset);
      const sql = `ora.parse_time(${asText(operand, call.offset)}, ARRAY[${elements.map(quoteText).join(', ')}]::text[])`;
      return { sql: timeZone ? sql : `(${sql})::timestamp${isDate ? '(0)' : ''}`, type };
    },
  };
}

function interval(units: Readonly<Record<string, string>>, daysOnly: boolean): FunctionDefinition {
  return {
    count: [2, 2],
    translate: ([value], call) => {
      const unit = units[(literalText(call, 1) ?? '').toUpperCase()];
      if (unit === undefined) {
        throw new OracleError(1760, 'illegal argument for function', { offset: call.offset });
      }
      return {
        sql: `(${asNumeric(required(value, call), call.offset)} * INTERVAL '1 ${unit}')`,
        type: INTERVAL,
        daysOnly,
      };
    },
  };
}

/** `TO_CHAR(time, format)`. */
export function translateTimeFormat(value: Value, call: CallExpression): Value {
  const format = literalText(call, 1);
  if (format === undefined) {
    throw new OracleError(3001, 'unimplemented feature: TO_CHAR of a time without a format', {
      offset: call.offset,
    });
  }
  const isDate = value.type?.kind === 'DATE';
  const precision = value.type?.kind === 'TIMESTAMP' ? value.type.precision : 0;
  const parts = parseTimeFormat(format, call.offset);
  const pattern = toPostgresFormat(parts, { isDate, precision, offset: call.offset });
  if (
    parts.some((part) => part.value.startsWith('TZ')) &&
    (value.zone !== undefined || (value.type?.kind === 'TIMESTAMP' && !value.type.timeZone))
  ) {
    throw new OracleError(3001, 'unimplemented feature: time zone elements for this value', {
      offset: call.offset,
    });
  }
  return text(`NULLIF(to_char(${inZone(value)}, ${quoteText(pattern)}), '')`);
}

/** A timestamp as the wall clock of its zone. */
function inZone(value: Value): string {
  return value.zone === undefined ? value.sql : `(${value.sql} AT TIME ZONE ${value.zone})`;
}

const UTC: ReadonlySet<string> = new Set(['UTC', 'GMT', '+00:00', '-00:00', '+0:00', 'ETC/UTC', 'Z']);

/** `x AT TIME ZONE zone`: the same instant; only TO_CHAR, EXTRACT and CAST see the zone. */
export function translateAtTimeZone(
  expression: Expression & { kind: 'at_time_zone' },
  environment: Environment,
): Value {
  const operand = asTime(translateExpression(expression.operand, environment), expression.offset);
  if (operand.type?.kind === 'DATE') {
    throw inconsistent('TIMESTAMP', operand.type, expression.offset);
  }
  const precision = operand.type?.kind === 'TIMESTAMP' ? operand.type.precision : 6;
  const instant: Value = {
    sql: `(${operand.sql})::timestamptz`,
    type: { kind: 'TIMESTAMP', precision, timeZone: true },
  };
  const { zone } = expression;
  if (zone.kind === 'text' && UTC.has(zone.value.toUpperCase())) {
    return instant;
  }
  if (zone.kind === 'text' && !/^[+-]\d{1,2}:\d{2}$/.test(zone.value)) {
    return { ...instant, zone: `ora.time_zone(${quoteText(zone.value)})` };
  }
  throw new OracleError(3001, 'unimplemented feature: AT TIME ZONE takes UTC or a region name as a literal', {
    offset: expression.offset,
  });
}

const FIELDS: ReadonlySet<string> = new Set(['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND']);

/** `EXTRACT(field FROM x)`. ORA-30076: the type has no such field. */
export function translateExtract(
  expression: Expression & { kind: 'extract' },
  environment: Environment,
): Value {
  const { field, offset } = expression;
  const operand = translateExpression(expression.operand, environment);
  if (!FIELDS.has(field)) {
    throw new OracleError(907, 'missing right parenthesis', { offset });
  }
  if (operand.type?.kind === 'INTERVAL') {
    return number(`EXTRACT(${field} FROM ${operand.sql})`);
  }
  if (!isTime(operand.type)) {
    throw new OracleError(30076, 'invalid extract field for extract source', { offset });
  }
  const dateOnly = operand.type?.kind === 'DATE' && !['YEAR', 'MONTH', 'DAY'].includes(field);
  if (dateOnly) {
    throw new OracleError(30076, 'invalid extract field for extract source', { offset });
  }
  return number(`EXTRACT(${field} FROM ${inZone(operand)})`);
}

const TRUNCATIONS: Readonly<Record<string, string>> = {
  YYYY: 'year',
  YEAR: 'year',
  YY: 'year',
  Y: 'year',
  Q: 'quarter',
  MM: 'month',
  MONTH: 'month',
  MON: 'month',
  IW: 'week',
  DDD: 'day',
  DD: 'day',
  J: 'day',
  HH: 'hour',
  HH24: 'hour',
  HH12: 'hour',
  MI: 'minute',
};

/** `TRUNC(time [, unit])` and `ROUND(time [, unit])`: a DATE. */
export function roundTime(name: 'round' | 'trunc', value: Value, call: CallExpression): Value {
  const unit = TRUNCATIONS[(literalText(call, 1) ?? 'DD').toUpperCase()];
  if (unit === undefined) {
    throw new OracleError(1898, 'too many precision specifiers', { offset: call.offset });
  }
  const source = `(${value.sql})::timestamp`;
  if (name === 'trunc') {
    return { sql: `date_trunc('${unit}', ${source})::timestamp(0)`, type: DATE };
  }
  if (unit !== 'day' && unit !== 'hour' && unit !== 'minute') {
    throw new OracleError(3001, `unimplemented feature: ROUND of a time to ${unit}`, { offset: call.offset });
  }
  return { sql: `date_trunc('${unit}', ${source} + INTERVAL '1 ${unit}' / 2)::timestamp(0)`, type: DATE };
}
