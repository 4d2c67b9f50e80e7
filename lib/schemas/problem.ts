import * as z from 'zod';
import { ERROR_CODES } from '../errors/agent-memory-error.ts';

/** Body of every error (RFC 9457); `errors` names the fields that are wrong. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(ERROR_CODES),
    requestId: z.string(),
    errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: 'Problem' });
export type Problem = z.infer<typeof problemSchema>;
