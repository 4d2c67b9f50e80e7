import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import type { TransportConfiguration } from '../../functions/runtime/transport-configuration.ts';
import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { SchemaState } from '../../lib/schema/schema-state.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { openDatabase } from '../open-database.ts';
import { installModule } from './install-module.ts';
import { type Emulator, startEmulator } from './oracle/start-emulator.ts';

/** The ways to the database and what must be closed after them. */
export interface LocalDatabase {
  /** For the service. */
  readonly transport: SqlTransport;
  /** For the schema; undefined where only installed statements run, and so nobody changes it from here. */
  readonly owner: SqlTransport | undefined;
  /** Called when the schema is there, before the service runs: installs its statements where it needs them installed. */
  install(names: SchemaNames, state: SchemaState): Promise<void>;
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
    const owner = transport.capabilities.fixedStatements ? undefined : transport;
    return { transport, owner, install: async () => {}, close: () => transport.close() };
  }
  const { entrance } = configuration;
  const emulator = await startEmulator({
    dataDirectory,
    ordsPort: entrance === 'ords' ? 0 : undefined,
    tnsPort: entrance === 'thin' ? 0 : undefined,
  });
  const transport = openEmulated(emulator, configuration);
  const isModule = transport.capabilities.fixedStatements;
  return {
    transport,
    owner: isModule ? openEmulated(emulator, { entrance: 'process', ordsMode: 'rest-sql' }) : transport,
    async install(names, { vectorDimensions }) {
      if (isModule) await installModule(emulator, names, vectorDimensions);
    },
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}

type EmulatedConfiguration = Pick<
  Extract<TransportConfiguration, { kind: 'emulator' }>,
  'entrance' | 'ordsMode'
>;

function openEmulated(emulator: Emulator, { entrance, ordsMode: mode }: EmulatedConfiguration): SqlTransport {
  const { connectString, username, password } = emulator;
  if (entrance === 'thin' && connectString !== undefined) {
    return openThinTransport({ connectString, credentials: { kind: 'password', user: username, password } });
  }
  return createOrdsTransport(
    { url: emulator.ordsUrl, credentials: { kind: 'basic', username, password }, mode },
    entrance === 'ords' ? {} : { fetch: emulator.fetch },
  );
}
