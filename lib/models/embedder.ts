/** What a text is embedded for; some models want a different prefix for each. */
export type EmbeddingPurpose = 'query' | 'document';

/** Limits of an embedding model, as data: splitting, ordering and retries happen once, in `embedding-batches.ts`. */
export interface EmbedderLimits {
  /** Inputs that one call takes. */
  readonly maxInputsPerCall: number;
  /** Tokens that one input may have. */
  readonly maxInputTokens: number;
  /** Calls that may be under way at once. */
  readonly maxParallelCalls: number;
}

/** Texts to embed; at most as many as the limits of the embedder say. */
export interface EmbedCall {
  readonly texts: readonly string[];
  readonly purpose: EmbeddingPurpose;
  readonly signal?: AbortSignal | undefined;
}

/** Turns texts into vectors. An adapter needs this one method and must throw, never cut, when a limit is exceeded. */
export interface Embedder {
  /** Model name, recorded with the schema. */
  readonly modelId: string;
  /** Width of the vectors; `undefined` when only a call can tell. */
  readonly dimensions: number | undefined;
  readonly limits: EmbedderLimits;
  /** One vector per text, in order. */
  embed(call: EmbedCall): Promise<readonly Float32Array[]>;
}
