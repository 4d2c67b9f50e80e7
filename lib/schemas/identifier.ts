import * as z from 'zod';
import { boundedText } from './well-formed.ts';

const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * An id: 1–128 characters, any printable Unicode, not `.` or `..` (no URL can carry them) (HTTP API contract,
 * Conventions). Compared byte for byte.
 */
export const identifierSchema = boundedText(1, 128)
  .refine((value) => !CONTROL_CHARACTER.test(value), 'must not contain control characters')
  .refine((value) => value !== '.' && value !== '..', 'must not be "." or ".."')
  .meta({ description: 'Id of 1–128 characters, any printable Unicode' });

/** An id or an explicit null, which is not the same as an absent key. */
export const nullableIdentifierSchema = z.union([identifierSchema, z.null()]);
