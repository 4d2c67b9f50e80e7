import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { ApiKey } from '../middleware/authentication.ts';
import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';

export type AuthenticationConfiguration =
  | { readonly mode: 'none' }
  | { readonly mode: 'api-key'; readonly keys: readonly ApiKey[] };

/** Authentication can be off only where nobody else can reach the service and its data (HTTP API contract). */
export function readAuthentication(
  environment: Environment,
  databaseHosts: readonly string[],
): AuthenticationConfiguration {
  if (environment.AUTH_MODE === 'api-key') {
    return { mode: 'api-key', keys: requiredVariable(environment, 'API_KEYS') };
  }
  if (databaseHosts.length === 0 || !databaseHosts.every(isLoopback)) {
    throw invalidRequest('AUTH_MODE', 'none is only for the emulator or a database on this computer');
  }
  if (!isLoopback(environment.HOST)) {
    throw invalidRequest('HOST', 'must be a loopback address while AUTH_MODE is none');
  }
  return { mode: 'none' };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || /^(?:127(?:\.\d+){3}|\[?::1\]?)$/.test(host);
}
