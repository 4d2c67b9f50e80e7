import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

/** Whether an id was taken. */
export function isConflict(error: unknown): boolean {
  return AgentMemoryError.is(error) && error.code === 'conflict';
}

/** Whether there is nothing that can be read with an id. */
export function isNotFound(error: unknown): boolean {
  return AgentMemoryError.is(error) && error.code === 'not_found';
}
