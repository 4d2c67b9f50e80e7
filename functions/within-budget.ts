import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';
import type { Services } from './services.ts';

/**
 * Runs work with a signal that aborts when the caller has gone, the request budget is over or the process is about to end.
 * Work that the budget stopped is a `timeout`, and work that the end of the process stopped, or that nobody waits for any
 * more, is `unavailable`, whatever its layers made of the abort.
 */
export async function withinBudget<Result>(
  gone: AbortSignal,
  { requestBudgetSeconds, ending }: Pick<Services, 'requestBudgetSeconds' | 'ending'>,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const budget =
    requestBudgetSeconds === undefined ? undefined : AbortSignal.timeout(requestBudgetSeconds * 1_000);
  const signals = [gone, budget, ending].filter((signal) => signal !== undefined);
  try {
    return await work(signals.length === 1 ? gone : AbortSignal.any(signals));
  } catch (cause) {
    if (isDefiniteAnswer(cause)) throw cause;
    if (gone.aborted) throw new AgentMemoryError('unavailable', 'the caller has gone', { cause });
    if (budget?.aborted) {
      throw new AgentMemoryError('timeout', `the request took longer than ${requestBudgetSeconds} seconds`, {
        cause,
      });
    }
    if (!ending?.aborted) throw cause;
    throw new AgentMemoryError('unavailable', 'the service is ending', { retryAfterSeconds: 1, cause });
  }
}

function isDefiniteAnswer(error: unknown): boolean {
  return AgentMemoryError.is(error) && error.code !== 'unavailable' && error.code !== 'internal';
}
