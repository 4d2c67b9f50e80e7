import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { Environment } from './environment-schema.ts';

/** A variable that other variables make necessary. @throws AgentMemoryError `invalid_request` naming it */
export function requiredVariable<Name extends keyof Environment>(
  environment: Environment,
  name: Name,
): NonNullable<Environment[Name]> {
  const value = environment[name];
  if (value === undefined || value === null) throw invalidRequest(name, 'is required');
  return value;
}
