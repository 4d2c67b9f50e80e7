import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { LentSession } from './lent-session.ts';
import type { DriverPool } from './oracle-driver.ts';
import { openGeneration, type PoolGeneration } from './pool-generation.ts';

/** The sessions of a process. */
export interface SessionPool {
  /**
   * A session for one call. No round trip when one is at hand that was used within a second, else a ping or a log-in.
   *
   * @throws the driver's error; the reason of the signal when it aborts
   */
  lend(signal: AbortSignal): Promise<LentSession>;
  /** Closes the sessions that are open once no call uses them; later calls get new ones. */
  renew(): void;
  /** Waits for the calls that run, closes every session and takes no further call. */
  close(): Promise<void>;
}

/**
 * The pool of the driver, opened at first use and shared; a failed opening is forgotten. In Thin mode the driver cannot
 * drop a single session (`close({ drop: true })` gives it back), and it looks an address up once for each pool. So the
 * pool is replaced as a whole when it is of no use any more, and when tables have changed. That is cheap: a pool opens no
 * session by itself. While an old one ends, up to twice `poolMax` sessions may be open.
 */
export function createSessionPool(open: () => Promise<DriverPool>, poolMax: number): SessionPool {
  const generations = new Set<PoolGeneration>();
  let current: PoolGeneration | undefined;
  let isClosed = false;

  function retire(generation: PoolGeneration): void {
    if (current === generation) current = undefined;
    generation.retire();
  }

  function openNext(): PoolGeneration {
    if (isClosed) throw new AgentMemoryError('unavailable', 'the service is ending');
    const generation = openGeneration({ open, poolMax, onUseless: retire });
    generations.add(generation);
    void generation.ended.then(() => generations.delete(generation));
    return generation;
  }

  return {
    async lend(signal) {
      current ??= openNext();
      return current.lend(signal);
    },
    renew() {
      if (current !== undefined) retire(current);
    },
    async close() {
      isClosed = true;
      if (current !== undefined) retire(current);
      await Promise.all([...generations].map(({ ended }) => ended));
    },
  };
}
