import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import type { OrdsCredentials } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createModuleTransport } from '../module-transport.ts';
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

/** The same, over the module of installed statements; the cases' own texts are installed as they come. */
async function makeModuleTransport(maxRows: number, ordsPort: number | undefined): Promise<SqlTransport> {
  const emulator = await startEmulator({ ordsPort, clients: [CLIENT] });
  const transport = createModuleTransport(emulator, {
    url: emulator.ordsUrl,
    credentials: { kind: 'client_credentials', ...CLIENT },
    maxRows,
    runtime: ordsPort === undefined ? { fetch: emulator.fetch } : {},
    isOfTest: () => true,
  });
  return { ...transport, close: () => emulator.close() };
}

transportCases('ORDS in this process', ({ maxRows }) => makeTransport(maxRows, undefined));
transportCases('ORDS over a port with OAuth2', ({ maxRows }) => makeTransport(maxRows, 0));
transportCases('installed statements in this process', ({ maxRows }) =>
  makeModuleTransport(maxRows, undefined),
);
transportCases('installed statements over a port', ({ maxRows }) => makeModuleTransport(maxRows, 0));
