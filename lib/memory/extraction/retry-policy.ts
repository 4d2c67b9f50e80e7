import { AgentMemoryError, type ErrorCode } from '../../errors/agent-memory-error.ts';
import { LONGEST_DELAY_SECONDS } from '../../queue/job-queue.ts';
import type { MemoryContext } from '../memory-context.ts';

/** What another attempt would only repeat. */
const PERMANENT: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'invalid_request',
  'unsupported',
  'conflict',
  'not_found',
  'payload_too_large',
  'model_failed',
]);
/** Part of a delay by which chance makes it longer or shorter. */
const JITTER = 0.2;

/**
 * Whether another attempt at a job may succeed: after time-outs, 429, 5xx of a model and whatever the database could not do
 * now; also after a fault of this program, so that it ends as dead and is noticed. Not after a refusal, an answer without
 * structure, a request that cannot be carried out, or metadata that disagrees (D19).
 */
export function mayPass(error: unknown): boolean {
  return !AgentMemoryError.is(error) || error.retryable || !PERMANENT.has(error.code);
}

/**
 * Seconds before the next attempt, one for each attempt that may have failed (see `MemorySettings.jobRetrySeconds`): at
 * least what the failed call asked to wait, at most what every queue can delay.
 */
export function retrySeconds(
  { settings, random = Math.random }: MemoryContext,
  error: unknown,
): readonly number[] {
  const asked = AgentMemoryError.is(error) ? (error.retryAfterSeconds ?? 0) : 0;
  const factor = 1 - JITTER + 2 * JITTER * random();
  return settings.jobRetrySeconds.map((seconds) =>
    Math.min(LONGEST_DELAY_SECONDS, Math.max(asked, seconds * factor)),
  );
}
