import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import type { TransportConfiguration } from '../../functions/runtime/transport-configuration.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { openDatabase } from '../open-database.ts';
import { type Emulator, startEmulator } from './oracle/start-emulator.ts';

/** A way to the database and what must be closed after it. */
export interface LocalDatabase {
  readonly transport: SqlTransport;
  close(): Promise<void>;
}

/**
 * Opens the database of a local service: an external one over ORDS or a direct connection, or the embedded emulator, in
 * process or through its own endpoint or listener on a free port. The emulator keeps its data in the directory; in memory
 * without one.
 *
 * @throws DataDirectoryInUseError when another process has the directory
 */
export async function openLocalDatabase(
  configuration: TransportConfiguration,
  dataDirectory: string | undefined,
): Promise<LocalDatabase> {
  if (configuration.kind !== 'emulator') {
    const transport = openDatabase(configuration);
    return { transport, close: () => transport.close() };
  }
  const { entrance } = configuration;
  const emulator = await startEmulator({
    dataDirectory,
    ordsPort: entrance === 'ords' ? 0 : undefined,
    tnsPort: entrance === 'thin' ? 0 : undefined,
  });
  const transport = openEmulated(emulator, entrance);
  return {
    transport,
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}

function openEmulated(emulator: Emulator, entrance: 'process' | 'ords' | 'thin'): SqlTransport {
  const { connectString, username, password } = emulator;
  if (connectString !== undefined) {
    return openThinTransport({ connectString, credentials: { kind: 'password', user: username, password } });
  }
  return createOrdsTransport(
    { url: emulator.ordsUrl, credentials: { kind: 'basic', username, password } },
    entrance === 'ords' ? {} : { fetch: emulator.fetch },
  );
}
