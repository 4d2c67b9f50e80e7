import { expect, it } from 'vitest';
import { startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { schemaCases } from '../conformance/schema-cases.ts';

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

it('the schema command takes the ORDS variables', async () => {
  const emulator = await startEmulator({ ordsPort: 0 });
  try {
    let output = '';
    const variables = {
      ORDS_URL: emulator.ordsUrl,
      ORDS_USERNAME: emulator.username,
      ORDS_PASSWORD: emulator.password,
      MEMORY_STORE_ID: 'shop',
      EMBEDDING_DIMENSION: '8',
    };
    const write = (text: string): void => {
      output = text;
    };
    expect(await runSchemaCommand(['apply'], { variables, write })).toBe(0);
    expect(await runSchemaCommand(['retention', '--max-ttl-days', '7'], { variables, write })).toBe(0);
    expect(await runSchemaCommand(['status'], { variables, write })).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      schemaVersion: 2,
      retention: { defaultTtlDays: null, maxTtlDays: 7 },
    });
    expect(
      await runSchemaCommand(['status'], { variables: { ...variables, ORDS_PASSWORD: 'x' }, write }),
    ).toBe(1);
    expect(output).toContain('refused the configured credentials');
  } finally {
    await emulator.close();
  }
});
