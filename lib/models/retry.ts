import { type Clock, systemClock } from '../clock.ts';
import type { Llm } from './llm.ts';
import { throwIfCancelled, toModelFailure } from './model-failure.ts';

export interface RetryOptions {
  /** Calls in all, the first included. @default 4 */
  readonly maxAttempts?: number;
  /** Upper bound of the first wait; it doubles with each attempt. @default 500 */
  readonly firstDelayMilliseconds?: number;
  /** No wait is longer; a model that asks for more is not waited for. @default 20000 */
  readonly maxDelayMilliseconds?: number;
  readonly clock?: Clock;
  /** Between 0 and 1. @default Math.random */
  readonly random?: () => number;
}

/**
 * Calls a model until it answers, a failure is not retryable, or the attempts are used up.
 *
 * Waits a random time up to a bound that doubles, so that many callers do not come back together; when the model said how long
 * to wait (Retry-After), at least that long. Throws the last failure, always an `AgentMemoryError`.
 */
export async function callWithRetry<T>(
  call: () => Promise<T>,
  options: RetryOptions = {},
  signal?: AbortSignal,
): Promise<T> {
  const { maxAttempts = 4, firstDelayMilliseconds = 500, maxDelayMilliseconds = 20_000 } = options;
  const { clock = systemClock, random = Math.random } = options;
  for (let attempt = 1; ; attempt += 1) {
    throwIfCancelled(signal);
    try {
      return await call();
    } catch (error) {
      const failure = toModelFailure(error, signal);
      const asked = (failure.retryAfterSeconds ?? 0) * 1000;
      const isFinal = !failure.retryable || attempt >= maxAttempts || asked > maxDelayMilliseconds;
      if (isFinal || signal?.aborted) throw failure;
      const bound = Math.min(maxDelayMilliseconds, firstDelayMilliseconds * 2 ** (attempt - 1));
      const delay = Math.min(maxDelayMilliseconds, asked + random() * bound);
      await clock.sleep(delay, signal).catch((reason: unknown) => {
        throw toModelFailure(reason, signal);
      });
    }
  }
}

/** A language model whose retryable failures are tried again (see `callWithRetry`). */
export function withRetry(llm: Llm, options: RetryOptions = {}): Llm {
  return {
    modelId: llm.modelId,
    generate: (call) => callWithRetry(() => llm.generate(call), options, call.signal),
  };
}
