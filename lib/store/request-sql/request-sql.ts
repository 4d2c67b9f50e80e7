import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import type { JsonObject } from '../../schemas/metadata.ts';
import type { RecordType } from '../../schemas/record.ts';
import type { Binds } from '../../sql/bind.ts';
import type { SqlTransport } from '../../sql/sql-transport.ts';
import type { LimitSql } from '../caller-limits-sql.ts';
import type { RecordChange } from '../records/stored-record.ts';
import type { SearchConditions } from '../search/search-conditions.ts';
import type { StoreSearch } from '../search/store-search.ts';
import { FIXED_TEXTS } from './fixed-texts.ts';
import type { SqlConditions } from './sql-conditions.ts';
import { VARYING_TEXTS } from './varying-texts.ts';

/** Whose rows are asked for. */
export interface ScopeRequest {
  readonly scope: StoreSearch['scope'];
  /** The thread whose ids `…_of_thread` means. */
  readonly threadId: string | undefined;
  /** The row that has `user_id`, `agent_id` and `thread_id`. */
  readonly alias: string;
}

export interface ScopeSql extends SqlConditions {
  /** Those of the conditions that an index serves. */
  readonly indexed: readonly string[];
  /** Conditions that make a row nearer. */
  readonly boosts: readonly string[];
}

/** A comparison that a request may ask for. */
export interface OptionalComparison {
  readonly column: string;
  readonly operator: '=' | '<>';
  /** Name of the bind; `asks_` and this name are taken too. */
  readonly bind: string;
  /** Undefined: not asked for. */
  readonly value: string | undefined;
}

/** The words of a query, each a branch of a statement. */
export interface WordSql {
  /** How many there are, an SQL expression. */
  readonly total: string;
  readonly binds: Binds;
  /**
   * Which of the chunks that a search may see hold which word: tables that end in `held`, from one branch a word.
   *
   * @param columns further columns of the chunk `c`, with their commas
   */
  heldTables(names: SchemaNames, conditions: SearchConditions, columns: string): string;
}

/** The types whose minimum is filled first. */
export interface MinimumSql {
  /** Conditions on a record `k` with its `type_rank`: it belongs to the minimum of its type. None: nothing is minimal. */
  readonly conditions: readonly string[];
  readonly binds: Binds;
}

/** The assignments of an update to a record `r`. */
export interface ChangedFields {
  readonly assignments: readonly string[];
  readonly binds: Binds;
  /** Whether the expiry may count from a stored timestamp, which must be there then. */
  readonly needsTimestamp: boolean;
}

/** Where hits come from: `fitting f` with the record `r` of each. */
export interface HitSource {
  readonly sql: string;
  readonly binds: Binds;
}

/**
 * How what a request asks for becomes SQL. One way writes a text that says only what is asked for, which an index serves
 * best. The other one writes few texts, for databases that run only installed ones: binds say what is asked for. Both
 * answer the same.
 */
export interface RequestSql {
  /** The scope table of contract §5. @throws AgentMemoryError `internal` for ids of a thread without a thread */
  scope(names: SchemaNames, request: ScopeRequest): ScopeSql;
  recordTypes(column: string, types: readonly RecordType[]): SqlConditions;
  /** @throws AgentMemoryError `invalid_request` naming the place in the filter (contract §7) */
  metadataFilter(names: SchemaNames, column: string, filter: JsonObject | null | undefined): SqlConditions;
  optional(comparison: OptionalComparison): SqlConditions;
  words(words: readonly string[]): WordSql;
  minimums(minimums: StoreSearch['minimums']): MinimumSql;
  /**
   * With a thread one row at least comes back, so that an unknown thread is not an empty result.
   *
   * @param limits What the caller may see of the thread `t`
   */
  hitSource(names: SchemaNames, threadId: string | undefined, limits: LimitSql): HitSource;
  /** @throws AgentMemoryError `invalid_request` when days count from a timestamp that the change removes */
  changedFields(change: RecordChange, retention: RetentionPolicy): ChangedFields;
}

/** The way that a transport needs. */
export function requestSql({ capabilities }: SqlTransport): RequestSql {
  return capabilities.fixedStatements ? FIXED_TEXTS : VARYING_TEXTS;
}
