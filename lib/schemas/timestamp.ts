import * as z from 'zod';

const ISO_8601 =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * Reads an ISO-8601 time (a date alone is its midnight, a time without offset is UTC) and writes it as UTC with
 * milliseconds and `Z`. Digits beyond milliseconds are cut. Returns undefined for anything else, also for days that
 * no calendar has.
 */
export function parseTimestamp(value: string): string | undefined {
  const match = ISO_8601.exec(value);
  if (match === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (Number(year) < 1 || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  const offset = zone === 'Z' ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(-2)}`;
  const date = `${year}-${month}-${day}`;
  const milliseconds = fraction.padEnd(3, '0').slice(0, 3);
  const instant = new Date(`${date}T${hour}:${minute}:${second}.${milliseconds}${offset}`);
  const midnight = new Date(`${date}T00:00:00.000Z`);
  if (Number.isNaN(instant.getTime()) || Number.isNaN(midnight.getTime())) return undefined;
  if (midnight.toISOString().slice(0, 10) !== date) return undefined;
  const written = instant.toISOString();
  return written.length === 24 && written >= '0001' ? written : undefined;
}

/** An ISO-8601 time; naive input is UTC. The parsed value is UTC with milliseconds and `Z`. */
export const timestampSchema = z
  .string()
  .refine(
    (value) => parseTimestamp(value) !== undefined,
    'must be an ISO-8601 time such as 2026-01-31T09:30:00Z',
  )
  .transform((value) => parseTimestamp(value) ?? value)
  .meta({ type: 'string', format: 'date-time', example: '2026-01-31T09:30:00.000Z' });
