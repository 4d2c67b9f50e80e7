const MONTHS = /(-?\d+) (year|mon)s?/g;
const DAYS = /(-?\d+) days?/;
const TIME = /(-)?(\d+):(\d\d):(\d\d)(?:\.(\d+))?$/;
const DAY_MICROSECONDS = 86_400_000_000;

/** PostgreSQL's `1 year 2 mons` and `3 days 04:05:06.7` as Oracle writes them: `+01-02` and `+03 04:05:06.700000`. */
export function decodeInterval(text: string): string {
  let months = 0;
  for (const [, count, unit] of text.matchAll(MONTHS)) {
    months += Number(count) * (unit === 'year' ? 12 : 1);
  }
  return months === 0 ? daysToSeconds(text) : yearsToMonths(months);
}

function yearsToMonths(months: number): string {
  const size = Math.abs(months);
  return `${signOf(months)}${two(Math.floor(size / 12))}-${two(size % 12)}`;
}

function daysToSeconds(text: string): string {
  const [, minus, hours = 0, minutes = 0, seconds = 0, fraction = ''] = TIME.exec(text) ?? [];
  const time =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1e6 + Number(fraction.padEnd(6, '0'));
  const total = Number(DAYS.exec(text)?.[1] ?? 0) * DAY_MICROSECONDS + (minus === undefined ? time : -time);
  const size = Math.abs(total);
  const rest = size % DAY_MICROSECONDS;
  const parts = [Math.floor(rest / 3_600e6), Math.floor(rest / 60e6) % 60, Math.floor(rest / 1e6) % 60];
  const microseconds = String(rest % 1e6).padStart(6, '0');
  return `${signOf(total)}${two(Math.floor(size / DAY_MICROSECONDS))} ${parts.map(two).join(':')}.${microseconds}`;
}

function signOf(value: number): string {
  return value < 0 ? '-' : '+';
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}
