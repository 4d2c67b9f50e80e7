import { createThinTransport } from '../../lib/sql/node-oracledb/thin-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { readAccessToken } from './read-access-token.ts';
import type { ThinConfiguration } from './thin-configuration.ts';

/**
 * A direct connection to the database, for runtimes of Node. The driver is a module of its own that is loaded by the first
 * call: who reaches the database over ORDS neither loads nor waits for it.
 */
export function openThinTransport({ credentials, ...config }: ThinConfiguration): SqlTransport {
  return createThinTransport(
    {
      ...config,
      credentials:
        credentials.kind === 'password'
          ? credentials
          : { kind: 'token', accessToken: () => readAccessToken(credentials.location) },
    },
    async () => (await import('oracledb')).default,
  );
}
