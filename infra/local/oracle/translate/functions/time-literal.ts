import { OracleError } from '../../sql/oracle-error.ts';
import type { Expression } from '../../sql/syntax-tree.ts';
import { quoteText } from '../names.ts';
import { DATE, INTERVAL, TIMESTAMP, TIMESTAMP_TZ, type Value } from '../value.ts';

/** `DATE '…'` and `TIMESTAMP '…'`. ORA-01861 when the text does not have the fixed format. */
export function translateTimeLiteral(expression: Expression & { kind: 'time' }): Value {
  const { value, offset } = expression;
  const match =
    /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?)(?: ?([+-]\d{2}:\d{2}|UTC))?)?$/.exec(value);
  const [, day, clock, zone] = match ?? [];
  if (day === undefined || (expression.type === 'DATE') !== (clock === undefined)) {
    throw new OracleError(1861, 'literal does not match format string', { offset });
  }
  checkDay(day, offset);
  if (expression.type === 'DATE') {
    return { sql: `TIMESTAMP '${day}'::timestamp(0)`, type: DATE };
  }
  return zone === undefined
    ? { sql: `TIMESTAMP '${day} ${clock}'`, type: TIMESTAMP }
    : { sql: `TIMESTAMPTZ '${day} ${clock}${zone === 'UTC' ? '+00' : zone}'`, type: TIMESTAMP_TZ };
}

function checkDay(day: string, offset: number): void {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  if (month < 1 || month > 12) {
    throw new OracleError(1843, 'not a valid month', { offset });
  }
  if (date < 1 || date > 31) {
    throw new OracleError(1847, 'day of month must be between 1 and last day of month', { offset });
  }
  if (date > new Date(Date.UTC(year, month, 0)).getUTCDate()) {
    throw new OracleError(1839, 'date not valid for month specified', { offset });
  }
}

const UNITS = ['YEAR', 'MONTH', 'DAY', 'HOUR', 'MINUTE', 'SECOND'];

const SHAPES: Readonly<Record<string, RegExp>> = {
  'YEAR TO MONTH': /^[+-]?\d+-\d+$/,
  'DAY TO HOUR': /^[+-]?\d+ \d+$/,
  'DAY TO MINUTE': /^[+-]?\d+ \d+:\d+$/,
  'DAY TO SECOND': /^[+-]?\d+ \d+:\d+:\d+(?:\.\d+)?$/,
  'HOUR TO MINUTE': /^[+-]?\d+:\d+$/,
  'HOUR TO SECOND': /^[+-]?\d+:\d+:\d+(?:\.\d+)?$/,
  'MINUTE TO SECOND': /^[+-]?\d+:\d+(?:\.\d+)?$/,
};

/** `INTERVAL '…' unit [TO unit]`. ORA-01867: the text does not have the form of its units. */
export function translateInterval(expression: Expression & { kind: 'interval' }): Value {
  const { value, from, to, offset } = expression;
  const units = to === undefined ? from : `${from} TO ${to}`;
  const shape =
    to === undefined ? (from === 'SECOND' ? /^[+-]?\d+(?:\.\d+)?$/ : /^[+-]?\d+$/) : SHAPES[units];
  if (shape === undefined || !UNITS.includes(from) || !shape.test(value)) {
    throw new OracleError(1867, 'the interval is invalid', { offset });
  }
  const negative = value.startsWith('-');
  const digits = value.replace(/^[+-]/, '');
  const literal = `INTERVAL ${quoteText(digits)} ${units}`;
  return {
    sql: negative ? `(- ${literal})` : `(${literal})`,
    type: INTERVAL,
    daysOnly: from !== 'YEAR' && from !== 'MONTH',
  };
}
