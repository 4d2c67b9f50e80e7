import { invalidRequest } from '../errors/agent-memory-error.ts';
import type { UpdateMemoryRequest } from '../schemas/memory.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import type { RecordChange } from '../store/records/stored-record.ts';
import type { MemoryContext } from './memory-context.ts';
import { createRetrievalRows } from './retrieval-rows.ts';

/** New text with its retrieval rows, made in one embedding pass; undefined when the text stays. */
export async function changedContent(
  context: MemoryContext,
  text: string | undefined,
): Promise<RecordChange['content']> {
  if (text === undefined) return undefined;
  const [chunks = []] = await createRetrievalRows(context, [text]);
  return { text, chunks };
}

/** New metadata as the store keeps it: null is an empty object, undefined stays. */
export function changedMetadata(metadata: JsonObject | null | undefined): JsonObject | undefined {
  return metadata === null ? {} : metadata;
}

/** Whether a request gives any field; one that does not changes nothing, not even `updatedAt`. */
export function isChange(request: object): boolean {
  return Object.values(request).some((value) => value !== undefined);
}

/** Both omitted = the expiry stays; days alone count from the creation, an anchor alone takes the default duration. */
export function changedLifetime({
  ttlDays,
  ttlAnchor,
  timestamp,
}: Pick<UpdateMemoryRequest, 'ttlDays' | 'ttlAnchor' | 'timestamp'>): RecordChange['lifetime'] {
  if (ttlDays === undefined && ttlAnchor === undefined) return undefined;
  if (ttlAnchor === 'timestamp' && timestamp === null) {
    throw invalidRequest('timestamp', 'is needed when ttlAnchor is "timestamp"');
  }
  return { ttlDays, ttlAnchor: ttlAnchor ?? 'created_at' };
}
