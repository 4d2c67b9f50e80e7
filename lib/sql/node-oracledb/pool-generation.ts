import { unlessAborted } from '../unless-aborted.ts';
import { isConnectionLost, isWithoutSession } from './driver-error.ts';
import { type LentSession, lendSession } from './lent-session.ts';
import type { DriverPool, DriverSession } from './oracle-driver.ts';
import { checkPrepared } from './session-settings.ts';
import { within } from './within.ts';

/** One pool of the driver, from its opening until nothing uses it any more. */
export interface PoolGeneration {
  /** @throws the driver's error; the reason of the signal when it aborts */
  lend(signal: AbortSignal): Promise<LentSession>;
  /** Closes the pool once no call has a session of it or waits for one. */
  retire(): void;
  /** Resolves when the pool is closed. */
  readonly ended: Promise<void>;
}

export interface PoolGenerationOptions {
  readonly open: () => Promise<DriverPool>;
  readonly poolMax: number;
  /** Called when the pool finds out that it is of no use any more. */
  readonly onUseless: (generation: PoolGeneration) => void;
}

/** Milliseconds that the end of a pool may take; a session that does not answer cannot be closed. */
const END_MILLISECONDS = 2_000;

/**
 * Opens a pool. It is of no use when it cannot be opened, when no connection can be, when a log-in hangs, when a session
 * cannot be set, and when one does not answer any more.
 */
export function openGeneration({ open, poolMax, onUseless }: PoolGenerationOptions): PoolGeneration {
  const ended = Promise.withResolvers<void>();
  const opening = open();
  let users = 0;
  let lent = 0;
  let isRetired = false;
  let isEnding = false;

  async function endWhenUnused(): Promise<void> {
    if (users > 0 || !isRetired || isEnding) return;
    isEnding = true;
    try {
      const pool = await opening;
      await within(END_MILLISECONDS, pool.close(0));
    } catch {
      // It was never opened, or has a session that is dead: nothing is left to close.
    } finally {
      ended.resolve();
    }
  }

  function leave(): void {
    users -= 1;
    void endWhenUnused();
  }

  function learnFrom(error: unknown): void {
    if (isConnectionLost(error) || (isWithoutSession(error) && lent < poolMax)) onUseless(generation);
  }

  async function acquire(pool: DriverPool): Promise<DriverSession> {
    const session = await pool.getConnection();
    try {
      checkPrepared(session);
    } catch (error) {
      onUseless(generation);
      await session.close();
      throw error;
    }
    return session;
  }

  /** The driver goes on to open a session whose caller has gone. */
  function giveBackLater(acquiring: Promise<DriverSession>): void {
    users += 1;
    acquiring
      .then((session) => session.close())
      .catch(learnFrom)
      .finally(leave);
  }

  async function lend(signal: AbortSignal): Promise<LentSession> {
    const pool = await unlessAborted(opening, signal);
    const acquiring = acquire(pool);
    try {
      const session = await unlessAborted(acquiring, signal);
      lent += 1;
      return lendSession(session, (isSound) => {
        lent -= 1;
        if (!isSound) onUseless(generation);
        leave();
      });
    } catch (error) {
      if (signal.aborted) giveBackLater(acquiring);
      else learnFrom(error);
      throw error;
    }
  }

  const generation: PoolGeneration = {
    ended: ended.promise,
    async lend(signal) {
      users += 1;
      try {
        return await lend(signal);
      } catch (error) {
        leave();
        throw error;
      }
    },
    retire() {
      isRetired = true;
      void endWhenUnused();
    },
  };
  opening.catch(() => onUseless(generation));
  return generation;
}
