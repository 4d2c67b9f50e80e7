import { RECORD_TYPES } from '../../lib/schemas/record.ts';
import type { StoreSearch } from '../../lib/store/search/store-search.ts';

export {
  extractionOutcome,
  JOB_RELEASE,
  messageAppend,
  newMessage,
  newMessageRecord,
  newRecord,
  newThread,
  threadConfig,
} from '../../infra/ords/statement-driver/sample-requests.ts';

/** Width of the vectors of these tests. */
export const DIMENSIONS = 4;

/** Retention policy without limits. */
export const NO_RETENTION = { defaultTtlDays: null, maxTtlDays: null } as const;

/** A vector at an angle from the first axis: its cosine distance from `direction(0)` is 1 − cos(degrees). */
export function direction(degrees: number): Float32Array {
  const radians = (degrees * Math.PI) / 180;
  return Float32Array.of(Math.cos(radians), Math.sin(radians), 0, 0);
}

/** An unfiltered search for the first axis. */
export function storeSearch(overrides: Partial<StoreSearch> = {}): StoreSearch {
  return {
    threadId: undefined,
    scope: { user: { kind: 'unfiltered' }, agent: { kind: 'unfiltered' }, thread: { kind: 'unfiltered' } },
    recordTypes: RECORD_TYPES,
    metadataFilter: null,
    maxResults: 10,
    query: { strategy: 'vector', vector: direction(0) },
    minimums: {},
    ...overrides,
  };
}
