import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { connectThin } from '../connect-thin.ts';
import { transportCases } from './sql-transport-cases.ts';

/** A transport that stops its emulator when it is closed. */
async function makeTransport(
  maxRows: number,
  tnsHandshake: '23ai' | '19c',
  server: '' | ':pooled' = '',
): Promise<SqlTransport> {
  const emulator = await startEmulator({ tnsPort: 0, tnsHandshake });
  const connectString = `${emulator.connectString}${server}`;
  const transport = connectThin({ ...emulator, connectString }, { maxRows });
  return {
    ...transport,
    async close() {
      await transport.close();
      await emulator.close();
    },
  };
}

transportCases('node-oracledb', ({ maxRows }) => makeTransport(maxRows, '23ai'));
transportCases('node-oracledb with a server of before 23ai', ({ maxRows }) => makeTransport(maxRows, '19c'));
transportCases('node-oracledb with a server pool', ({ maxRows }) =>
  makeTransport(maxRows, '23ai', ':pooled'),
);
