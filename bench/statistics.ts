/** The value below which `share` (0–1) of the samples lie (nearest rank). */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))] ?? Number.NaN;
}

/** Milliseconds that each of `count` calls took, one after the other. */
export async function time(
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<readonly number[]> {
  const samples: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const start = performance.now();
    await call(index);
    samples.push(performance.now() - start);
  }
  return samples;
}
