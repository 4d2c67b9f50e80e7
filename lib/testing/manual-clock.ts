import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly wakeAt: number;
  readonly wake: () => void;
}

/** A clock that a test moves. */
export interface ManualClock extends Clock {
  /** Every wait asked for so far, in milliseconds. */
  readonly sleeps: readonly number[];
  /** Moves the time forward and wakes, in order, whoever waited for a moment up to it. */
  advance(milliseconds: number): void;
}

/** Where a manual clock starts, and whether sleeping moves it. */
export interface ManualClockOptions {
  /** @default '2026-01-01T00:00:00.000Z' */
  readonly start?: Date | string;
  /** When true a sleep moves the time itself and returns at once; otherwise it waits for `advance`. @default true */
  readonly sleepAdvances?: boolean;
}

/** A clock that stands still until it is moved: for tests of times, time-outs and back-off. */
export function createManualClock(options: ManualClockOptions = {}): ManualClock {
  let time = new Date(options.start ?? '2026-01-01T00:00:00.000Z').getTime();
  const sleeps: number[] = [];
  let sleepers: readonly Sleeper[] = [];

  function advance(milliseconds: number): void {
    time += milliseconds;
    const due = sleepers.filter((sleeper) => sleeper.wakeAt <= time);
    sleepers = sleepers.filter((sleeper) => sleeper.wakeAt > time);
    for (const sleeper of due.toSorted((a, b) => a.wakeAt - b.wakeAt)) sleeper.wake();
  }

  function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    sleeps.push(milliseconds);
    if (options.sleepAdvances ?? true) {
      advance(milliseconds);
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const sleeper: Sleeper = { wakeAt: time + milliseconds, wake: resolve };
      sleepers = [...sleepers, sleeper];
      signal?.addEventListener('abort', () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  return { sleeps, advance, sleep, now: () => new Date(time) };
}
