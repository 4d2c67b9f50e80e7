import { sha256Hex } from '../sha-256.ts';
import type { Bind } from './bind.ts';
import type { ResultShape } from './statement.ts';

/** One text of the list that a database runs for a transport with fixed statements. Its identity is name and hash. */
export interface FixedStatement {
  /** `Query.name` or `AtomicList.name`; several texts may have one name. */
  readonly name: string;
  /** What `statementHash` makes of `sql`. */
  readonly hash: string;
  /** Exactly what a transport sends that takes any text: a query without white space around it, or a compiled block. */
  readonly sql: string;
  readonly kind: 'query' | 'atomic';
  /** In binds by name. A bind has one type in every use of a text, NULL or not. */
  readonly binds: Readonly<Record<string, Bind['type']>>;
  /** Columns of a query; none of a list. */
  readonly shape: ResultShape;
  /** NUMBER out binds of a list in order; none of a query. */
  readonly outs: readonly string[];
}

/** Hex digits of a hash: 128 bits. */
const HASH_DIGITS = 32;
/**
 * A process sends the same few hundred texts again and again. Values, never pending promises: on Workers a promise belongs
 * to the request that made it.
 */
const hashes = new Map<string, string>();

/** What tells the texts of one name apart: the first 32 hex digits of the SHA-256 of the text in UTF-8. */
export async function statementHash(sql: string): Promise<string> {
  const known = hashes.get(sql);
  if (known !== undefined) return known;
  const hash = (await sha256Hex(sql)).slice(0, HASH_DIGITS);
  hashes.set(sql, hash);
  return hash;
}
