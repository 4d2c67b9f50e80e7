import { unlessAborted } from '../unless-aborted.ts';
import type { DriverSession } from './oracle-driver.ts';
import { within } from './within.ts';

/** Milliseconds in which a session must answer to an interrupt, a ping and its end. */
const ANSWER_MILLISECONDS = 1_000;

/** A session of the pool for exactly one call. */
export interface LentSession {
  /**
   * Makes the call and gives the session back; what was not committed is rolled back. When the signal aborts, the caller
   * has its answer at once: the call is interrupted, and the session is given back when it then answers a ping.
   *
   * @throws the driver's error; the reason of the signal when it aborts
   */
  run<Result>(signal: AbortSignal, call: (session: DriverSession) => Promise<Result>): Promise<Result>;
}

/** @param ended called once with whether the session answered to the last; one that did not is not in the pool again */
export function lendSession(session: DriverSession, ended: (isSound: boolean) => void): LentSession {
  const end = (work: Promise<void>): Promise<void> =>
    within(ANSWER_MILLISECONDS, work).then(
      () => ended(true),
      () => ended(false),
    );
  return {
    async run(signal, call) {
      if (signal.aborted) {
        await end(session.close());
        throw signal.reason;
      }
      let isRunning = true;
      const outcome = call(session).finally(() => {
        isRunning = false;
      });
      try {
        return await unlessAborted(outcome, signal);
      } finally {
        if (isRunning) void end(interrupt(session, outcome));
        else await end(session.close());
      }
    },
  };
}

async function interrupt(session: DriverSession, outcome: Promise<unknown>): Promise<void> {
  await session.break();
  await outcome.catch(() => undefined);
  await session.ping();
  await session.close();
}
