import * as z from 'zod';

/** `true` or `false` as a query parameter writes it; any other form is refused. */
export const booleanParameter = z
  .enum(['true', 'false'])
  .transform((value) => value === 'true')
  .meta({ type: 'boolean', enum: undefined });
