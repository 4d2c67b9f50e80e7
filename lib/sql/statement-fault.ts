import { AgentMemoryError } from '../errors/agent-memory-error.ts';

/**
 * An `internal` error for a statement that breaks the rules of this program or whose result is not what it declares.
 * The message names the statement only; the detail is in the cause, for logs.
 */
export function statementFault(statement: string, detail: string): AgentMemoryError {
  return new AgentMemoryError('internal', `database statement ${statement} failed`, {
    cause: new Error(`${statement}: ${detail}`),
  });
}
