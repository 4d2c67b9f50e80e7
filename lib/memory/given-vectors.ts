import { invalidRequest } from '../errors/agent-memory-error.ts';
import { type Embedding, isVector, vectorsOf } from '../schemas/retrieval-payload.ts';

/**
 * A caller's vector as the store keeps it (contract §10.3, D14). Errors: `invalid_request` naming `path` for another
 * width than the store's, a component beyond FLOAT32, or a vector of zeros, which has no direction to compare.
 */
export function toStoredVector(vector: readonly number[], dimensions: number, path: string): Float32Array {
  if (vector.length !== dimensions) {
    throw invalidRequest(path, `has ${vector.length} dimensions, the store has ${dimensions}`);
  }
  const stored = Float32Array.from(vector);
  if (!stored.every(Number.isFinite)) throw invalidRequest(path, 'has a component that is too large');
  if (stored.every((component) => component === 0)) throw invalidRequest(path, 'has only zeros');
  return stored;
}

/** Every vector of an embedding as `toStoredVector` makes it; `path` is where the embedding stands in the request. */
export function toStoredVectors(
  embedding: Embedding,
  dimensions: number,
  path: string,
): readonly Float32Array[] {
  return vectorsOf(embedding).map((vector, index) =>
    toStoredVector(vector, dimensions, isVector(embedding) ? path : `${path}[${index}]`),
  );
}
