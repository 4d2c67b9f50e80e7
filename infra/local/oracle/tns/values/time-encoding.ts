import { OracleError } from '../../sql/oracle-error.ts';
import { MalformedMessageError } from '../wire/malformed-message-error.ts';

const TIME = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)\.(\d{6})Z$/;
const CENTURY_BIAS = 100;
/** Hour and minute of the offset UTC. */
const UTC_OFFSET = [20, 60] as const;
const REGION = 0x80;

/** Bytes of a DATE, a TIMESTAMP and a TIMESTAMP WITH TIME ZONE. */
export const TIME_BYTES = { date: 7, timestamp: 11, timestampWithTimeZone: 13 } as const;

/** An ISO-8601 time of the engine as Oracle's bytes. ORA-01841: outside the years 1 to 9999. */
export function encodeTime(text: string, length: number): Buffer {
  const fields = TIME.exec(text)?.slice(1).map(Number);
  if (fields === undefined) {
    throw new OracleError(1841, '(full) year must be between -4713 and +9999, and not be 0');
  }
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, microseconds = 0] = fields;
  const bytes = Buffer.alloc(length);
  bytes.set([
    Math.trunc(year / 100) + CENTURY_BIAS,
    (year % 100) + CENTURY_BIAS,
    month,
    day,
    hour + 1,
    minute + 1,
    second + 1,
  ]);
  if (length >= TIME_BYTES.timestamp) {
    bytes.writeUInt32BE(microseconds * 1000, TIME_BYTES.date);
  }
  if (length === TIME_BYTES.timestampWithTimeZone) {
    bytes.set(UTC_OFFSET, TIME_BYTES.timestamp);
  }
  return bytes;
}

/** Oracle's bytes as an ISO-8601 time with microseconds. A time with an offset is in UTC already. */
export function decodeTime(bytes: Buffer): string {
  const [century = 0, year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = bytes;
  if (bytes.length < TIME_BYTES.date || century < CENTURY_BIAS || year < CENTURY_BIAS) {
    throw new MalformedMessageError('a time that is none');
  }
  if (bytes.length === TIME_BYTES.timestampWithTimeZone && ((bytes[11] ?? 0) & REGION) !== 0) {
    throw new OracleError(3001, 'unimplemented feature: a bind with a time zone region');
  }
  const fullYear = (century - CENTURY_BIAS) * 100 + (year - CENTURY_BIAS);
  const microseconds =
    bytes.length >= TIME_BYTES.timestamp ? Math.floor(bytes.readUInt32BE(TIME_BYTES.date) / 1000) : 0;
  const date = [String(fullYear).padStart(4, '0'), twoDigits(month), twoDigits(day)].join('-');
  const time = [hour - 1, minute - 1, second - 1].map(twoDigits).join(':');
  return `${date}T${time}.${String(microseconds).padStart(6, '0')}Z`;
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0');
}
