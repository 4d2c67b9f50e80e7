/** Positions of the documents with a score, best first; equal ones in their order. */
export function ranking(scores: readonly number[]): readonly number[] {
  return scores
    .map((score, index) => ({ score, index }))
    .sort((one, other) => other.score - one.score || one.index - other.index)
    .map(({ index }) => index);
}

/** Share of `gold` among the first `count` of `ranked`. */
export function recall(ranked: readonly string[], gold: ReadonlySet<string>, count: number): number {
  const found = ranked.slice(0, count).filter((id) => gold.has(id)).length;
  return found / gold.size;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
