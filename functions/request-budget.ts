import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import type { Services } from './services.ts';

/** How long the work of one request may go on. */
export interface RequestBudget {
  /** Aborts when the caller has gone, the request budget is over or the process is about to end. */
  readonly signal: AbortSignal;
  /**
   * What the failure of work under the signal means: a `timeout` when the budget stopped it, `unavailable` when the end of the
   * process stopped it or nobody waits for it any more, whatever its layers made of the abort; else the failure itself.
   */
  explain(failure: unknown): unknown;
  /** Runs work under the signal. @throws what `explain` makes of its failure */
  run<Result>(work: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
}

/** The budget of a request that begins now. @param gone Aborts when the caller has gone */
export function startBudget(
  gone: AbortSignal,
  { requestBudgetSeconds, ending }: Pick<Services, 'requestBudgetSeconds' | 'ending'>,
): RequestBudget {
  const budget =
    requestBudgetSeconds === undefined ? undefined : AbortSignal.timeout(requestBudgetSeconds * 1_000);
  const signals = [gone, budget, ending].filter((signal) => signal !== undefined);
  const signal = signals.length === 1 ? gone : AbortSignal.any(signals);
  const explain = (cause: unknown): unknown => {
    if (isDefiniteAnswer(cause)) return cause;
    if (gone.aborted) return new AgentMemoryError('unavailable', 'the caller has gone', { cause });
    if (budget?.aborted) {
      const message = `the request took longer than ${requestBudgetSeconds} seconds`;
      return new AgentMemoryError('timeout', message, { cause });
    }
    if (!ending?.aborted) return cause;
    return new AgentMemoryError('unavailable', 'the service is ending', { retryAfterSeconds: 1, cause });
  };
  return {
    signal,
    explain,
    async run(work) {
      try {
        return await work(signal);
      } catch (cause) {
        throw explain(cause);
      }
    },
  };
}

function isDefiniteAnswer(error: unknown): boolean {
  return AgentMemoryError.is(error) && error.code !== 'unavailable' && error.code !== 'internal';
}
