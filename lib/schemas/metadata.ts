import * as z from 'zod';
import { isWellFormed } from './well-formed.ts';

/** Any value of JSON. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;
/** An object of JSON, as metadata is one. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Largest metadata object, as UTF-8 bytes of its JSON. */
export const METADATA_LIMIT_BYTES = 65_536;
const DEPTH_LIMIT = 32;

/** An object as JSON has it, of whatever realm; a Date or a Map is none: JSON would make something else of it. */
function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** An integer beyond 2^53 has lost digits when it arrives here: refused, not kept as another number. */
function numberFault(value: number): string | undefined {
  if (!Number.isFinite(value)) return 'holds a number that JSON cannot carry';
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return 'holds an integer beyond 2^53: send it as text';
  return undefined;
}

function findFault(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return isWellFormed(value) ? undefined : 'holds U+0000 or a lone surrogate';
  if (typeof value === 'number') return numberFault(value);
  if (typeof value === 'boolean' || value === null) return undefined;
  if (!Array.isArray(value) && !isPlainObject(value)) return 'holds a value that JSON cannot carry';
  if (depth >= DEPTH_LIMIT) return `is nested deeper than ${DEPTH_LIMIT} levels`;
  const entries = Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
  for (const entry of entries) {
    const fault = findFault(entry, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function metadataFault(value: JsonObject): string | undefined {
  const fault = findFault(value, 0);
  if (fault !== undefined) return fault;
  const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
  return bytes > METADATA_LIMIT_BYTES ? 'must be at most 64 KiB as JSON' : undefined;
}

/**
 * A JSON object of the caller (HTTP API contract: at most 64 KiB as JSON). What comes out is a copy, so that what is
 * stored is what was checked, whatever the caller does with its object meanwhile; keys such as `__proto__` stay what they
 * are.
 */
export const metadataSchema = z
  .custom<JsonObject>(isPlainObject, { message: 'must be a JSON object', abort: true })
  .superRefine((value, context) => {
    const message = metadataFault(value);
    if (message !== undefined) context.addIssue({ code: 'custom', message, continue: false });
  })
  .overwrite((value) => structuredClone(value))
  .meta({ type: 'object', additionalProperties: true, example: { topic: 'travel' } });

/** Metadata, or null to clear it. */
export const nullableMetadataSchema = z.union([metadataSchema, z.null()]);
