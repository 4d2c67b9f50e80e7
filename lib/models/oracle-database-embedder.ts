import type { Embedder, EmbedderLimits } from './embedder.ts';

/**
 * A model inside the database (contract §13). Nothing calls it: the statement that writes a text or searches for one
 * embeds it with VECTOR_EMBEDDING, so that neither costs a call or a round trip of its own.
 */
export interface OracleDatabaseEmbedder {
  readonly kind: 'oracle-database';
  /** Name of the model in the database, upper case. */
  readonly modelId: string;
  /** Width of the vectors; `undefined` when only the database can tell. */
  readonly dimensions: number | undefined;
  readonly limits: Pick<EmbedderLimits, 'maxInputTokens'> & {
    /** Bytes in UTF-8 that one input may have: the model takes a VARCHAR2 (SQL Language Reference, VECTOR_EMBEDDING). */
    readonly maxInputBytes: number;
  };
}

/** Whatever makes the vectors of a store: a model that is called, or one that the database calls. */
export type MemoryEmbedder = Embedder | OracleDatabaseEmbedder;

/** Which model of the database embeds, and what it takes. */
export interface OracleDatabaseEmbedderOptions {
  readonly model: string;
  readonly dimensions?: number | undefined;
  /** Counted by this service's tokenizer; the model's own may count more. @default DEFAULT_DATABASE_INPUT_TOKENS */
  readonly maxInputTokens?: number | undefined;
}

/**
 * What fits the 128 tokens of all-MiniLM-L12-v2, the model that Oracle offers ready to load, whose tokenizer makes more
 * tokens of a text than this service's. What is beyond a model's limit the database leaves out without a word.
 */
export const DEFAULT_DATABASE_INPUT_TOKENS = 100;
/** A VARCHAR2 of a database with the standard MAX_STRING_SIZE. */
const MAXIMUM_INPUT_BYTES = 4_000;

/** Names a model in the database, to be the embedder of a store. */
export function createOracleDatabaseEmbedder(options: OracleDatabaseEmbedderOptions): OracleDatabaseEmbedder {
  const { model, dimensions, maxInputTokens = DEFAULT_DATABASE_INPUT_TOKENS } = options;
  return {
    kind: 'oracle-database',
    modelId: model.toUpperCase(),
    dimensions,
    limits: { maxInputTokens, maxInputBytes: MAXIMUM_INPUT_BYTES },
  };
}

/** Whether the database embeds. */
export function isOracleDatabaseEmbedder(
  embedder: MemoryEmbedder | undefined,
): embedder is OracleDatabaseEmbedder {
  return embedder !== undefined && 'kind' in embedder;
}
