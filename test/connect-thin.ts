import { openThinTransport } from '../functions/runtime/open-thin-transport.ts';
import type { Emulator } from '../infra/local/oracle/start-emulator.ts';
import type { ThinConfig } from '../lib/sql/node-oracledb/config.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';

/** A direct connection to an emulator that has a TNS listener, with the driver as it is. */
export function connectThin(
  { connectString, username: user, password }: Emulator,
  options: Partial<Omit<ThinConfig, 'connectString' | 'credentials'>> = {},
): SqlTransport {
  if (connectString === undefined) throw new Error('the emulator has no TNS listener');
  return openThinTransport({
    ...options,
    connectString,
    credentials: { kind: 'password', user, password },
  });
}
