import { AgentMemoryError } from '../lib/errors/agent-memory-error.ts';

/**
 * The reason of a failed command with its causes, a line each: for the person at the terminal, not for callers. An error
 * that names the wrong fields or variables has said it all.
 */
export function explainFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isComplete = AgentMemoryError.is(error) && error.issues.length > 0;
  if (error.cause === undefined || isComplete) return error.message;
  return `${error.message}\n  ${explainFailure(error.cause)}`;
}
