import type { Bind } from '../../sql/bind.ts';

/** What a query is compared with, as table expressions that end in `nearest`: one row a record, with its distance. */
export interface SearchComparison {
  /** Name of the query. */
  readonly name: string;
  /** `nearest (record_family, record_id, record_type, distance)` and what it is made of. */
  readonly tables: string;
  readonly binds: Readonly<Record<string, Bind>>;
}
