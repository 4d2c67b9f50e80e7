import * as z from 'zod';

/** A whole number as a query parameter writes it; JavaScript's looser forms (`1e3`, `0x10`, ` 5`) are refused. Documents show the number. */
export function integerParameter(minimum: number, maximum = Number.MAX_SAFE_INTEGER) {
  return z
    .string()
    .regex(/^(?:0|-?[1-9]\d{0,14})$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum).max(maximum))
    .meta({ type: 'integer', pattern: undefined, minimum, maximum });
}
