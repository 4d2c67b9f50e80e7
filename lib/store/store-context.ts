import type { RetentionPolicy } from '../schema/retention-policy.ts';
import type { SchemaNames } from '../schema/schema-names.ts';
import type { VectorIndex } from '../schema/schema-policy.ts';
import type { CallerLimits } from '../schemas/caller-limits.ts';
import type { SqlTransport } from '../sql/sql-transport.ts';
import type { WriteAuthor } from './audit/write-author.ts';

/** Factor on the distance of a record for each boosted dimension that it matches (D6). */
export const DEFAULT_BOOST_FACTOR = 0.95;

/** What a store is opened with; the dimensions and the retention policy are those of the schema. */
export interface StoreSettings {
  /** Width of the embedding column. */
  readonly dimensions: number;
  readonly retention: RetentionPolicy;
  /** @default DEFAULT_BOOST_FACTOR */
  readonly boostFactor?: number;
  /**
   * The vector index that the schema has: searches without a scope ask it, see docs/search.md.
   *
   * @default 'none'
   */
  readonly vectorIndex?: VectorIndex;
}

/** What every statement of the store is built from. */
export interface StoreContext {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
  readonly settings: StoreSettings;
  /**
   * Whose data the caller of these statements may see and change: what is outside does not exist for them. What workers do to
   * jobs, under a lease or by a clock, is the service's own and not limited.
   *
   * @default no limit
   */
  readonly limits?: CallerLimits | undefined;
  /** Who writes, for the audit trail and the history of memories. @default IN_PROCESS */
  readonly author?: WriteAuthor | undefined;
}
