import { expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { schemaCases } from '../conformance/schema-cases.ts';
import { connectThin } from '../connect-thin.ts';

schemaCases('ORDS', async () => {
  const emulator = await startEmulator();
  const { ordsUrl: url, username, password, fetch } = emulator;
  return {
    memoryStoreId: 'shop',
    connect: () =>
      createOrdsTransport({ url, credentials: { kind: 'basic', username, password } }, { fetch }),
    close: () => emulator.close(),
  };
});

schemaCases('a direct connection', async () => {
  const emulator = await startEmulator({ tnsPort: 0 });
  return { memoryStoreId: 'shop', connect: () => connectThin(emulator), close: () => emulator.close() };
});

const ADDRESSES: Readonly<Record<string, (emulator: Emulator) => Readonly<Record<string, string>>>> = {
  ORDS: ({ ordsUrl, username, password }) => ({
    ORDS_URL: ordsUrl,
    ORDS_USERNAME: username,
    ORDS_PASSWORD: password,
  }),
  ORACLE: ({ connectString = '', username, password }) => ({
    ORACLE_CONNECT_STRING: connectString,
    ORACLE_USER: username,
    ORACLE_PASSWORD: password,
  }),
};

it.each(Object.entries(ADDRESSES))('the schema command takes the %s variables', async (prefix, addressOf) => {
  const emulator = await startEmulator({ ordsPort: 0, tnsPort: 0 });
  try {
    let output = '';
    const variables = { ...addressOf(emulator), MEMORY_STORE_ID: 'shop', EMBEDDING_DIMENSION: '8' };
    const write = (text: string): void => {
      output = text;
    };
    const run = (commandLine: readonly string[], changes: Readonly<Record<string, string>> = {}) =>
      runSchemaCommand(commandLine, { variables: { ...variables, ...changes }, write });
    expect(await run(['apply'])).toBe(0);
    expect(await run(['retention', '--max-ttl-days', '7'])).toBe(0);
    expect(await run(['status'])).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      schemaVersion: 3,
      retention: { defaultTtlDays: null, maxTtlDays: 7 },
    });
    expect(await run(['status'], { [`${prefix}_PASSWORD`]: 'x' })).toBe(1);
    expect(output).toContain('refused the configured credentials');
    expect(await run(['status'], { ORACLE_TRANSPORT: 'emulator' })).toBe(1);
    expect(output).toContain('ORACLE_TRANSPORT');
  } finally {
    await emulator.close();
  }
});
