import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Expectation } from '../statement.ts';
import { fromDriverError, isConnectionLost, isStaleStatement } from './driver-error.ts';
import type { DriverSession } from './oracle-driver.ts';
import type { SessionPool } from './session-pool.ts';

/** One statement as it runs on a session. */
export interface ThinCall<Result> {
  /** Of the statement, for errors and logs. */
  readonly name: string;
  /** Whether running it twice does no harm: queries, not writes. */
  readonly isRepeatable: boolean;
  readonly expectations: readonly Expectation[];
  run(session: DriverSession): Promise<Result>;
}

/** What a call takes from its runtime, so that tests need no waiting. */
export interface ThinRuntime {
  /** From 0 to 1: spreads retries. */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Connections that are tried for one call before it fails. */
const CONNECTION_ATTEMPTS = 3;
const FIRST_WAIT_MILLISECONDS = 50;

export interface CallLimits {
  readonly timeoutMilliseconds: number;
  /** Of the caller: its reason is thrown as it is. */
  readonly signal: AbortSignal | undefined;
}

/**
 * Makes one call on a session of the pool. While nothing was sent, another connection is tried. What was sent goes out
 * once more only when it is a query and its session died, or remembered a statement of tables that have changed; a write
 * whose answer is lost may have been committed.
 *
 * @throws AgentMemoryError by the Oracle or driver number; `timeout` after the limit
 */
export async function callWithRetries<Result>(
  sessions: SessionPool,
  call: ThinCall<Result>,
  limits: CallLimits,
  { random, wait }: ThinRuntime,
): Promise<Result> {
  const end = performance.now() + limits.timeoutMilliseconds;
  const deadline = AbortSignal.timeout(limits.timeoutMilliseconds);
  const signal = limits.signal === undefined ? deadline : AbortSignal.any([limits.signal, deadline]);
  let canRepeat = call.isRepeatable;
  for (let attempt = 1; ; attempt += 1) {
    let wasSent = false;
    try {
      signal.throwIfAborted();
      const lent = await sessions.lend(signal);
      wasSent = true;
      return await lent.run(signal, async (session) => {
        session.callTimeout = Math.max(1, Math.ceil(end - performance.now()));
        return call.run(session);
      });
    } catch (error) {
      limits.signal?.throwIfAborted();
      if (deadline.aborted) {
        throw new AgentMemoryError('timeout', 'the database took too long', { cause: error });
      }
      if (AgentMemoryError.is(error)) throw error;
      const isStale = wasSent && isStaleStatement(error);
      const again = wasSent ? canRepeat : attempt < CONNECTION_ATTEMPTS;
      if (!again || !(isStale || isConnectionLost(error))) {
        throw fromDriverError(error, call.name, call.expectations);
      }
      if (wasSent) canRepeat = false;
      if (isStale) sessions.renew();
      else await wait(FIRST_WAIT_MILLISECONDS * attempt * (0.5 + random()));
    }
  }
}
