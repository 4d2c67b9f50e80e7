import { openThinTransport } from '../functions/runtime/open-thin-transport.ts';
import type { TransportConfiguration } from '../functions/runtime/transport-configuration.ts';
import { createOrdsTransport } from '../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../lib/sql/sql-transport.ts';

/** A database that is not the emulator of this process. */
export type ExternalDatabase = Exclude<TransportConfiguration, { readonly kind: 'emulator' }>;

/** Opens the way to a database; it connects when it is first used. */
export function openDatabase(database: ExternalDatabase): SqlTransport {
  return database.kind === 'ords' ? createOrdsTransport(database.config) : openThinTransport(database.config);
}
