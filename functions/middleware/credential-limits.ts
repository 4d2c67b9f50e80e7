import * as z from 'zod';
import { identifierSchema } from '../../lib/schemas/identifier.ts';

/** Ids that one credential can be limited to in one dimension. */
const LIST_LIMIT = 1_000;

/** Ids that a credential reaches; an empty list reaches nothing. */
export const allowedIdsSchema = z.array(identifierSchema).max(LIST_LIMIT).optional();
/** Requests of a caller in a minute. */
export const ratePerMinuteSchema = z.int().min(1).max(1_000_000).optional();
