import { AgentMemoryError } from '../errors/agent-memory-error.ts';

/** The error of a model call that its caller cancelled: the signal's own error when it is one of ours, else `timeout`. */
export function cancelledCall(signal: AbortSignal): AgentMemoryError {
  if (AgentMemoryError.is(signal.reason)) return signal.reason;
  return new AgentMemoryError('timeout', 'The model call was cancelled before it ended.', {
    cause: signal.reason,
  });
}

/** Throws `cancelledCall` when the signal is aborted. */
export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancelledCall(signal);
}

/** Any thrown value as an error of this library; what an adapter did not map is a permanent `model_failed`. */
export function toModelFailure(error: unknown, signal: AbortSignal | undefined): AgentMemoryError {
  if (AgentMemoryError.is(error)) return error;
  if (signal?.aborted) return cancelledCall(signal);
  return new AgentMemoryError('model_failed', 'The model call failed.', { cause: error });
}
