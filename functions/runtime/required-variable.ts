import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { Environment } from './environment-schema.ts';

/** A variable that other variables make necessary. @throws AgentMemoryError `invalid_request` naming it */
export function requiredVariable<Name extends keyof Environment>(
  environment: Pick<Environment, Name>,
  name: Name,
): NonNullable<Environment[Name]> {
  const value: Environment[Name] = environment[name];
  if (value === undefined || value === null) throw invalidRequest(name, 'is required');
  return value;
}
