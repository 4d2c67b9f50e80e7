import type { JsonObject } from '../../schemas/metadata.ts';
import type { MemoryRecord, RecordType } from '../../schemas/record.ts';
import type { QueryVector } from './query-vector.ts';

/** One dimension of a resolved search scope (contract §5). */
export type ScopeDimension =
  | { readonly kind: 'unfiltered' }
  | { readonly kind: 'exact'; readonly value: string | null }
  | { readonly kind: 'boost'; readonly value: string | null }
  /** The named thread's own id in this dimension, looked up in the same statement. */
  | { readonly kind: 'exact_of_thread' | 'boost_of_thread' };

export interface StoreSearch {
  /** When given, an unknown thread answers `undefined`; also the source of `…_of_thread` values. */
  readonly threadId: string | undefined;
  readonly scope: {
    readonly user: ScopeDimension;
    readonly agent: ScopeDimension;
    readonly thread: ScopeDimension;
  };
  readonly recordTypes: readonly RecordType[];
  readonly metadataFilter: JsonObject | null;
  readonly maxResults: number;
  /** Whether the service searches for a pass of its own: then the limits of the caller do not hold. @default false */
  readonly isOfService?: boolean | undefined;
  readonly query:
    | { readonly strategy: 'vector'; readonly vector: QueryVector }
    | { readonly strategy: 'keyword'; readonly text: string }
    | { readonly strategy: 'hybrid'; readonly text: string; readonly vector: QueryVector };
  /** Minimum number of results by type, filled first (contract §9.1). */
  readonly minimums: Readonly<Partial<Record<RecordType, number>>>;
}

export interface SearchHit {
  readonly record: MemoryRecord;
  readonly distance: number;
}
