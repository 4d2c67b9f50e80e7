import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import { hostsOf } from '../../lib/sql/node-oracledb/connect-string.ts';
import type { OrdsConfig, OrdsCredentials, OrdsMode } from '../../lib/sql/ords/config.ts';
import type { Environment } from './environment-schema.ts';

import { requiredVariable } from './required-variable.ts';
import { namesNoThinDatabase, readThinConfiguration, type ThinConfiguration } from './thin-configuration.ts';

/** `local` is `npm start`, where the emulator and its models are at hand; `deployed` is everything else. */
export type Platform = 'local' | 'deployed';

/** How SQL reaches the database; the emulator in this process, or through its own endpoint or listener. */
export type TransportConfiguration =
  | {
      readonly kind: 'emulator';
      readonly entrance: 'process' | 'ords' | 'thin';
      readonly ordsMode: OrdsMode;
    }
  | { readonly kind: 'ords'; readonly config: OrdsConfig }
  | { readonly kind: 'thin'; readonly config: ThinConfiguration };

export function readTransport(environment: Environment, platform: Platform): TransportConfiguration {
  const { ORACLE_TRANSPORT: transport, ORDS_MODE: ordsMode } = environment;
  const isLed = transport === 'emulator' || (platform === 'local' && namesNoDatabase(environment));
  if (isLed && environment.ROW_ISOLATION === 'vpd') {
    throw invalidRequest(
      'ROW_ISOLATION',
      'vpd needs a database of your own: that of npm start has no row policies',
    );
  }
  if (transport === 'emulator') return { kind: 'emulator', entrance: 'process', ordsMode };
  if (isLed) return { kind: 'emulator', entrance: transport, ordsMode };
  return transport === 'thin'
    ? { kind: 'thin', config: readThinConfiguration(environment) }
    : { kind: 'ords', config: readOrdsConfig(environment) };
}

/** Whether `npm start` is left to its own emulator. */
function namesNoDatabase(environment: Environment): boolean {
  return environment.ORACLE_TRANSPORT === 'thin'
    ? namesNoThinDatabase(environment)
    : environment.ORDS_URL === undefined;
}

/** What the service says of its way to the database. */
export function transportName(configuration: TransportConfiguration): Environment['ORACLE_TRANSPORT'] {
  if (configuration.kind !== 'emulator') return configuration.kind;
  return configuration.entrance === 'process' ? 'emulator' : configuration.entrance;
}

/** Hosts of the database; one on this computer is enough of a secret to itself. */
export function databaseHosts(configuration: TransportConfiguration): readonly string[] {
  if (configuration.kind === 'emulator') return ['localhost'];
  if (configuration.kind === 'ords') return [new URL(configuration.config.url).hostname];
  return hostsOf(configuration.config.connectString);
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
> &
  Partial<Pick<Environment, 'ROW_ISOLATION'>>;

/** @throws AgentMemoryError `invalid_request` naming the variable */
export function readOrdsConfig(environment: OrdsEnvironment): OrdsConfig {
  return {
    url: requiredVariable(environment, 'ORDS_URL'),
    credentials: readOrdsCredentials(environment),
    mode: environment.ORDS_MODE,
    isolatesRows: environment.ROW_ISOLATION === 'vpd',
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
