import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { OrdsConfig, OrdsCredentials, OrdsMode } from '../../lib/sql/ords/config.ts';
import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';

/** `local` is `npm start`, where the emulator and its models are at hand; `deployed` is everything else. */
export type Platform = 'local' | 'deployed';

/** How SQL reaches the database. `emulator`: through its own ORDS endpoint when `endpoint` is set, else in the process. */
export type TransportConfiguration =
  | { readonly kind: 'emulator'; readonly endpoint: boolean; readonly ordsMode: OrdsMode }
  | { readonly kind: 'ords'; readonly config: OrdsConfig };

export function readTransport(environment: Environment, platform: Platform): TransportConfiguration {
  const { ORDS_MODE: ordsMode } = environment;
  if (environment.ORACLE_TRANSPORT === 'emulator') return { kind: 'emulator', endpoint: false, ordsMode };
  if (environment.ORDS_URL === undefined && platform === 'local') {
    return { kind: 'emulator', endpoint: true, ordsMode };
  }
  return { kind: 'ords', config: readOrdsConfig(environment) };
}

/** The variables that name an ORDS schema and its credentials. */
export type OrdsEnvironment = Pick<
  Environment,
  | 'ORDS_URL'
  | 'ORDS_USERNAME'
  | 'ORDS_PASSWORD'
  | 'ORDS_CLIENT_ID'
  | 'ORDS_CLIENT_SECRET'
  | 'ORDS_TOKEN_URL'
  | 'ORDS_MODE'
>;

/** @throws AgentMemoryError `invalid_request` naming the variable */
export function readOrdsConfig(environment: OrdsEnvironment): OrdsConfig {
  return {
    url: requiredVariable(environment, 'ORDS_URL'),
    credentials: readOrdsCredentials(environment),
    mode: environment.ORDS_MODE,
  };
}

function readOrdsCredentials(environment: OrdsEnvironment): OrdsCredentials {
  const { ORDS_USERNAME: username, ORDS_CLIENT_ID: clientId } = environment;
  if (username !== undefined && clientId !== undefined) {
    throw invalidRequest('ORDS_USERNAME', 'give ORDS_USERNAME or ORDS_CLIENT_ID, not both');
  }
  if (clientId === undefined) {
    return {
      kind: 'basic',
      username: requiredVariable(environment, 'ORDS_USERNAME'),
      password: requiredVariable(environment, 'ORDS_PASSWORD'),
    };
  }
  const clientSecret = requiredVariable(environment, 'ORDS_CLIENT_SECRET');
  return { kind: 'client_credentials', clientId, clientSecret, tokenUrl: environment.ORDS_TOKEN_URL };
}
