import { invalidRequest } from '../../errors/agent-memory-error.ts';

/**
 * A vector as the text that TO_VECTOR reads, with the nine digits that a FLOAT32 needs. A vector of zeros has no
 * direction and so no cosine distance: undefined.
 *
 * @throws AgentMemoryError `invalid_request` for another width than the store's or a component that is not finite
 */
export function vectorText(vector: Float32Array, dimensions: number): string | undefined {
  if (vector.length !== dimensions) {
    throw invalidRequest('embedding', `has ${vector.length} dimensions, the store has ${dimensions}`);
  }
  let zero = true;
  const components: number[] = [];
  for (const component of vector) {
    if (!Number.isFinite(component)) throw invalidRequest('embedding', 'has a component that is not finite');
    if (component !== 0) zero = false;
    components.push(Number(component.toPrecision(9)));
  }
  return zero ? undefined : `[${components.join(',')}]`;
}
