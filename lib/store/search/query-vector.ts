import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, clob, text } from '../../sql/bind.ts';
import type { StoreContext } from '../store-context.ts';
import { vectorText } from './vector-text.ts';

/** What chunks are compared with: a vector, or a text of at most 4,000 bytes that the database embeds. */
export type QueryVector = Float32Array | { readonly textToEmbed: string };

/** A query vector as an SQL expression. */
export interface QueryVectorSql {
  readonly sql: string;
  readonly binds: Readonly<Record<string, Bind>>;
}

/**
 * The vector of a query in SQL; undefined for one without a direction. The database embeds a text once for the statement:
 * a subquery without columns is computed once, a call in the comparison perhaps for each row.
 *
 * @throws AgentMemoryError `invalid_request` for a vector that does not fit
 */
export function queryVectorSql(
  { names, settings }: StoreContext,
  vector: QueryVector,
): QueryVectorSql | undefined {
  if ('textToEmbed' in vector) {
    return {
      sql: `(SELECT ${embeddingOf(names, ':text_to_embed')} FROM dual)`,
      binds: { text_to_embed: text(vector.textToEmbed) },
    };
  }
  const written = vectorText(vector, settings.dimensions);
  if (written === undefined) return undefined;
  return {
    sql: `TO_VECTOR(:query_vector, ${settings.dimensions}, FLOAT32)`,
    binds: { query_vector: clob(written) },
  };
}

/** The vector that the model of the store makes of a text, as an SQL expression. */
export function embeddingOf({ embeddingModel }: SchemaNames, expression: string): string {
  if (embeddingModel === undefined) {
    throw new AgentMemoryError('internal', 'a text to embed needs a store that names its embedding model');
  }
  return `VECTOR_EMBEDDING(${embeddingModel} USING ${expression} AS DATA)`;
}
