import * as z from 'zod';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { cancelledCall } from '../model-failure.ts';

/** What is read of the provider library's errors; anything else about them may change. */
const callErrorSchema = z.object({
  name: z.string(),
  statusCode: z.number().optional().catch(undefined),
  isRetryable: z.boolean().optional().catch(undefined),
  responseHeaders: z.record(z.string(), z.string()).optional().catch(undefined),
});

/** Seconds of a Retry-After header, given as a number or as a date (RFC 9110 §10.2.3). */
export function readRetryAfter(value: string | undefined, now: Date): number | undefined {
  if (value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds);
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - now.getTime()) / 1000));
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === 'TimeoutError';
}

/**
 * Maps a failed call to the error of this library, by status: 429 is `rate_limited` with the wait asked for, 408 and an elapsed
 * time-out are `timeout`, 5xx and a failed connection are a retryable `model_failed`, any other status a permanent one. The
 * endpoint's own text stays in `cause`.
 *
 * @param what the model as the subject of a sentence, for example `The language model`
 */
export function mapCallError(
  what: string,
  error: unknown,
  signal: AbortSignal | undefined,
): AgentMemoryError {
  if (AgentMemoryError.is(error)) return error;
  if (signal?.aborted) return cancelledCall(signal);
  if (isTimeout(error))
    return new AgentMemoryError('timeout', `${what} did not answer in time.`, { cause: error });
  const parsed = callErrorSchema.safeParse(error);
  if (!parsed.success || parsed.data.name !== 'AI_APICallError') {
    return new AgentMemoryError('model_failed', `${what} gave an answer that cannot be read.`, {
      cause: error,
    });
  }
  return mapStatus(what, parsed.data, error);
}

function mapStatus(what: string, failure: z.infer<typeof callErrorSchema>, cause: unknown): AgentMemoryError {
  const { statusCode: status } = failure;
  const seconds = readRetryAfter(failure.responseHeaders?.['retry-after'], new Date());
  const wait = seconds === undefined ? {} : { retryAfterSeconds: seconds };
  if (status === undefined) {
    return new AgentMemoryError('model_failed', `${what} cannot be reached.`, { retryable: true, cause });
  }
  if (status < 400) {
    const retryable = failure.isRetryable ?? false;
    return new AgentMemoryError('model_failed', `${what} gave an answer that cannot be read.`, {
      retryable,
      cause,
    });
  }
  if (status === 401 || status === 403) {
    return new AgentMemoryError('model_failed', `${what} refused the credentials (status ${status}).`, {
      cause,
    });
  }
  if (status === 408) return new AgentMemoryError('timeout', `${what} did not answer in time.`, { cause });
  if (status === 429) {
    return new AgentMemoryError('rate_limited', `${what} takes no more requests for now.`, {
      ...wait,
      cause,
    });
  }
  const retryable = status >= 500;
  const happened = retryable ? 'failed' : 'refused the request';
  return new AgentMemoryError('model_failed', `${what} ${happened} (status ${status}).`, {
    ...wait,
    retryable,
    cause,
  });
}
