import { AgentMemoryError } from '../errors/agent-memory-error.ts';

/**
 * Runs a write whose only possible conflict is an id that is taken, and says so: the database names its constraint,
 * not the caller's mistake (D7).
 *
 * @param message Contains "already exists"
 */
export async function namedConflict<Result>(message: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    throw AgentMemoryError.is(error) && error.code === 'conflict' ? takenId(message, error) : error;
  }
}

/** @param message Contains "already exists" */
export function takenId(message: string, cause: AgentMemoryError): AgentMemoryError {
  return new AgentMemoryError('conflict', message, { cause });
}
