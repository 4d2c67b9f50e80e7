const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units with a final mix; a deterministic unsigned 32-bit number. */
export function hashText(text: string): number {
  let hash = OFFSET_BASIS;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), PRIME);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Adds a feature to the slice `[start, start + width)` of `vector`: its hash chooses the place and the sign. */
export function addHashedFeature(
  vector: Float32Array,
  slice: { readonly start: number; readonly width: number },
  feature: string,
  weight: number,
): void {
  const hash = hashText(feature);
  const position = slice.start + ((hash >>> 1) % slice.width);
  vector[position] = (vector[position] ?? 0) + (hash & 1 ? weight : -weight);
}

/** Euclidean length of `[start, start + width)` of a vector. */
export function sliceLength(vector: Float32Array, start: number, width: number): number {
  let sum = 0;
  for (let index = start; index < start + width; index += 1) sum += (vector[index] ?? 0) ** 2;
  return Math.sqrt(sum);
}

/** Multiplies `[start, start + width)` of a vector by `factor`, in place. */
export function scaleSlice(vector: Float32Array, start: number, width: number, factor: number): void {
  for (let index = start; index < start + width; index += 1) vector[index] = (vector[index] ?? 0) * factor;
}
