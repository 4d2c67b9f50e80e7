import * as z from 'zod';
import { identifierSchema } from '../../lib/schemas/identifier.ts';
import { isWellFormed } from '../../lib/schemas/well-formed.ts';

/** Ids that one credential can be limited to in one dimension. */
const LIST_LIMIT = 1_000;

/** Name of a caller, which every write keeps: what the database cannot hold would make all of them fail. */
export const callerIdSchema = z
  .string()
  .min(1)
  .max(512)
  .refine(isWellFormed, 'must not contain U+0000 or a lone surrogate');
/** Ids that a credential reaches; an empty list reaches nothing. */
export const allowedIdsSchema = z.array(identifierSchema).max(LIST_LIMIT).optional();
/** Requests of a caller in a minute. */
export const ratePerMinuteSchema = z.int().min(1).max(1_000_000).optional();
