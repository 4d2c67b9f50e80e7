import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { ApiKey } from '../middleware/authentication.ts';
import type { JwtConfiguration } from '../middleware/jwt-authentication.ts';
import type { Environment } from './environment-schema.ts';
import { isLoopback } from './loopback-address.ts';
import { requiredVariable } from './required-variable.ts';

export type AuthenticationConfiguration =
  | { readonly mode: 'none' }
  | { readonly mode: 'api-key'; readonly keys: readonly ApiKey[] }
  | ({ readonly mode: 'jwt' } & JwtConfiguration);

/** Authentication can be off only where nobody else can reach the service and its data (HTTP API contract). */
export function readAuthentication(
  environment: Environment,
  databaseHosts: readonly string[],
): AuthenticationConfiguration {
  if (environment.AUTH_MODE === 'api-key') {
    return { mode: 'api-key', keys: requiredVariable(environment, 'API_KEYS') };
  }
  if (environment.AUTH_MODE === 'jwt') return readJwt(environment);
  if (databaseHosts.length === 0 || !databaseHosts.every(isLoopback)) {
    throw invalidRequest('AUTH_MODE', 'none is only for the emulator or a database on this computer');
  }
  if (!isLoopback(environment.HOST)) {
    throw invalidRequest('HOST', 'must be a loopback address while AUTH_MODE is none');
  }
  return { mode: 'none' };
}

/** Over plain HTTP anybody on the way could put keys of their own into the set. */
function readJwt(environment: Environment): AuthenticationConfiguration {
  const jwksUrl = requiredVariable(environment, 'JWT_JWKS_URL');
  const { protocol, hostname } = new URL(jwksUrl);
  if (protocol !== 'https:' && !isLoopback(hostname)) {
    throw invalidRequest('JWT_JWKS_URL', 'must be an https URL');
  }
  return {
    mode: 'jwt',
    jwksUrl,
    issuer: requiredVariable(environment, 'JWT_ISSUER'),
    audience: requiredVariable(environment, 'JWT_AUDIENCE'),
    clockSkewSeconds: environment.JWT_CLOCK_SKEW_SECONDS,
  };
}
