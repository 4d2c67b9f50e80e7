import type { TransportConfiguration } from '../../functions/runtime/transport-configuration.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { startEmulator } from './oracle/start-emulator.ts';

/** A way to the database and what must be closed after it. */
export interface LocalDatabase {
  readonly transport: SqlTransport;
  close(): Promise<void>;
}

/**
 * Opens the database of a local service: an external one over ORDS, or the embedded emulator, in process or through its
 * own endpoint on a free port. The emulator keeps its data in the directory; in memory without one.
 *
 * @throws DataDirectoryInUseError when another process has the directory
 */
export async function openLocalDatabase(
  configuration: TransportConfiguration,
  dataDirectory: string | undefined,
): Promise<LocalDatabase> {
  if (configuration.kind === 'ords') {
    const transport = createOrdsTransport(configuration.config);
    return { transport, close: () => transport.close() };
  }
  const emulator = await startEmulator({ dataDirectory, ordsPort: configuration.endpoint ? 0 : undefined });
  const { username, password } = emulator;
  const transport = createOrdsTransport(
    { url: emulator.ordsUrl, credentials: { kind: 'basic', username, password } },
    configuration.endpoint ? {} : { fetch: emulator.fetch },
  );
  return {
    transport,
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}
