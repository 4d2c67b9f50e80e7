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

/** What calls took: milliseconds that passed, and those of this process's processor time. */
export interface Timing {
  readonly passed: readonly number[];
  readonly processor: readonly number[];
}

/**
 * The best of several rounds, each of the same `count` calls: other work on the machine makes rounds slower, never
 * faster. Processor time hardly feels it.
 */
export async function timeBestRound(
  rounds: number,
  count: number,
  call: (index: number) => Promise<unknown>,
): Promise<Timing> {
  const all: Timing[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const processor: number[] = [];
    const passed = await time(count, async (index) => {
      const start = process.cpuUsage();
      await call(index);
      const { user, system } = process.cpuUsage(start);
      processor.push((user + system) / 1_000);
    });
    all.push({ passed, processor });
  }
  const best = (kind: keyof Timing) =>
    all.map((timing) => timing[kind]).reduce((one, other) => (median(other) < median(one) ? other : one));
  return { passed: best('passed'), processor: best('processor') };
}

/** The middle of the samples. */
export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}
