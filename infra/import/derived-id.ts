import { digestUuid, sha256Hex } from '../../lib/sha-256.ts';

/** An id for what an export gives none: the same each time, for the same place and content. */
export async function derivedId(...parts: readonly string[]): Promise<string> {
  return digestUuid(await sha256Hex(JSON.stringify(parts)));
}
