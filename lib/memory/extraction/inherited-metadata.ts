import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { ResolvedExtractionConfig } from '../../schemas/extraction.ts';
import type { JsonObject, JsonValue } from '../../schemas/metadata.ts';

/** The key of the library's own bookkeeping in metadata (contract §8.2). */
export const BOOKKEEPING_KEY = '$agent_memory';
const NAMED_KEYS = 10;
const NAMED_KEY_LENGTH = 80;

/** The same value whatever the order of object keys. */
function canonicalJson(value: JsonValue | undefined): string {
  if (value === undefined) return 'absent';
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join(',')}}`;
}

function ownValue(metadata: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined;
}

function selectKeys(
  sources: readonly JsonObject[],
  inherit: ResolvedExtractionConfig['memoryExtractionInheritMessageMetadata'],
): readonly string[] {
  if (inherit === false) return [];
  const keys = new Set(inherit === true ? sources.flatMap(Object.keys) : inherit);
  keys.delete(BOOKKEEPING_KEY);
  return [...keys];
}

/**
 * Metadata that extracted memories take over from their source messages (contract §8.2). Every selected key must agree
 * across the sources, an absent key disagrees with a present one: else `invalid_request` naming the keys (D19).
 */
export function inheritMetadata(
  sources: readonly JsonObject[],
  inherit: ResolvedExtractionConfig['memoryExtractionInheritMessageMetadata'],
): JsonObject {
  const keys = selectKeys(sources, inherit);
  const disagreeing = keys.filter(
    (key) => new Set(sources.map((metadata) => canonicalJson(ownValue(metadata, key)))).size > 1,
  );
  if (disagreeing.length > 0) {
    const named = disagreeing
      .slice(0, NAMED_KEYS)
      .map((key) => JSON.stringify(key.slice(0, NAMED_KEY_LENGTH).toWellFormed()));
    throw new AgentMemoryError(
      'invalid_request',
      `The source messages disagree on the metadata to inherit: ${named.join(', ')}.`,
      { issues: disagreeing.map((key) => ({ path: key, message: 'differs between source messages' })) },
    );
  }
  const [first = {}] = sources;
  const entries = keys.flatMap((key) => {
    const value = ownValue(first, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(entries);
}
