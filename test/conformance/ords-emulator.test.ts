import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import type { OrdsCredentials } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { transportCases } from './sql-transport-cases.ts';

const CLIENT = { clientId: 'service', clientSecret: 'of the test' };

/** A transport that stops its emulator when it is closed. */
async function makeTransport(maxRows: number, ordsPort: number | undefined): Promise<SqlTransport> {
  const emulator = await startEmulator({ ordsPort, clients: [CLIENT] });
  const overPort = ordsPort !== undefined;
  const credentials: OrdsCredentials = overPort
    ? { kind: 'client_credentials', ...CLIENT }
    : { kind: 'basic', username: emulator.username, password: emulator.password };
  const runtime = overPort ? {} : { fetch: emulator.fetch };
  const transport = createOrdsTransport({ url: emulator.ordsUrl, credentials, maxRows }, runtime);
  return { ...transport, close: () => emulator.close() };
}

transportCases('ORDS in this process', ({ maxRows }) => makeTransport(maxRows, undefined));
transportCases('ORDS over a port with OAuth2', ({ maxRows }) => makeTransport(maxRows, 0));
