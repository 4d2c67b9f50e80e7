import { AgentMemoryError } from '../errors/agent-memory-error.ts';

/** What can be missing, as a caller reads it. */
export type MissingNoun = 'thread' | 'message' | 'memory' | 'user' | 'agent' | 'record' | 'job';

/** A `not_found` that says what is missing. The id is the caller's own, so it may be repeated. */
export function notFound(noun: MissingNoun, id: string): AgentMemoryError {
  return new AgentMemoryError('not_found', `There is no ${noun} with the id ${JSON.stringify(id)}.`);
}

/** Returns the value, or throws `not_found` when there is none. */
export function requireFound<Value>(value: Value | undefined, noun: MissingNoun, id: string): Value {
  if (value === undefined) throw notFound(noun, id);
  return value;
}
