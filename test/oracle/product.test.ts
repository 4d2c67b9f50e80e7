import { expect, it } from 'vitest';
import { readProduct } from './product.ts';
import { NotAsked, type RawDatabase, StatementRefused } from './raw/raw-database.ts';

function answering(ask: RawDatabase['ask']): RawDatabase {
  return { transport: 'ords', ask, async close() {} };
}

it.each([
  ['Oracle Database 23ai Enterprise Edition', 'oracle'],
  ['Oracle AI Database 26ai Free', 'oracle'],
  ['Oracle Database 23ai emulator ', 'emulator'],
  ['Another Oracle Database emulated', 'emulator'],
  ['PostgreSQL', 'unknown'],
  ['', 'unknown'],
])('takes %j for %s', async (product, kind) => {
  const database = answering(async () => ({ rows: [{ product, version_full: '23.26.1.0.0' }], outs: {} }));
  expect(await readProduct(database)).toMatchObject({ kind, name: `${product.trim()} 23.26.1.0.0` });
});

it('takes a database without the view for unknown, and none for no answer', async () => {
  const refusing = answering(async () => {
    throw new StatementRefused(942, 'ORA-00942: no view', '');
  });
  expect(await readProduct(refusing)).toMatchObject({ kind: 'unknown' });
  const silent = answering(async () => {
    throw new NotAsked('no answer');
  });
  await expect(readProduct(silent)).rejects.toThrow('no answer');
});
