import fc from 'fast-check';
import oracledb from 'oracledb';
import { expect, test } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { DatabaseSession } from '../../infra/local/oracle/tns/session/database-session.ts';
import { SessionSettings } from '../../infra/local/oracle/tns/session/session-settings.ts';
import { DataReader } from '../../infra/local/oracle/tns/wire/data-reader.ts';
import { DataWriter } from '../../infra/local/oracle/tns/wire/data-writer.ts';
import { MalformedMessageError } from '../../infra/local/oracle/tns/wire/malformed-message-error.ts';
import { CLOB_AS_TEXT, connect, rowsOf, startTnsEmulator } from './tns-fixture.ts';
import { recordTns } from './tns-recorder.ts';

/** Statements whose calls have every kind of field. */
async function runStatements(connection: oracledb.Connection): Promise<void> {
  const out = { dir: oracledb.BIND_OUT, type: oracledb.NUMBER };
  await connection.execute(
    `INSERT INTO kinds (id, name, body, at_zone, flag, document, embedding) VALUES (:i, :n, :b, :a, :f, :d, :e)`,
    {
      i: 1.5,
      n: 'é',
      b: { val: 'x'.repeat(500), type: oracledb.CLOB },
      a: { val: new Date(), type: oracledb.DB_TYPE_TIMESTAMP_TZ },
      f: { val: true, type: oracledb.DB_TYPE_BOOLEAN },
      d: { val: { a: [1, 'x', null] }, type: oracledb.DB_TYPE_JSON },
      e: { val: Float32Array.of(1, 2, 3), type: oracledb.DB_TYPE_VECTOR },
    },
  );
  await rowsOf(connection, 'SELECT * FROM kinds', {}, CLOB_AS_TEXT);
  await rowsOf(connection, 'SELECT id FROM kinds WHERE id > :i', { i: 0 }, { prefetchRows: 0 });
  await rowsOf(connection, 'SELECT id FROM kinds WHERE id > :i', { i: 1 });
  await connection.execute('BEGIN :o := :i; END;', { o: out, i: 1 });
  await connection.executeMany('DELETE FROM kinds WHERE id = :i', [{ i: 1 }, { i: 2 }], {
    batchErrors: true,
  });
  await connection.rollback();
}

test('a call with any bytes changed is answered or refused, and the emulator goes on', async () => {
  const emulator = await startTnsEmulator();
  const recorder = await recordTns(emulator.connectString ?? '');
  try {
    const connection = await connect(emulator, { connectString: recorder.connectString });
    await runStatements(connection);
    await connection.close();
    const calls = recorder.calls().filter((call) => call.length > 4);
    expect(calls.length).toBeGreaterThan(11);

    const session = new DatabaseSession(emulator.engine, new SessionSettings('memory'));
    const change = fc.record({ place: fc.nat(2000), byte: fc.nat(255) });
    const changedCall = fc.record({
      call: fc.constantFrom(...calls),
      changes: fc.array(change, { maxLength: 4 }),
      cut: fc.option(fc.nat(2000), { freq: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(changedCall, async ({ call, changes, cut }) => {
        const bytes = Buffer.from(call.subarray(0, cut ?? undefined));
        for (const { place, byte } of changes) {
          bytes[4 + (place % Math.max(bytes.length - 4, 1))] = byte;
        }
        await callSession(session, bytes);
      }),
      { numRuns: 1500 },
    );
    await session.close();
    const again = await connect(emulator);
    expect(await rowsOf(again, 'SELECT 1 FROM dual')).toEqual([[1]]);
    await again.close();
  } finally {
    await recorder.close();
    await emulator.close();
  }
});

/** Type, function, sequence and token stand before the fields of a call. */
async function callSession(session: DatabaseSession, bytes: Buffer): Promise<void> {
  try {
    const reader = new DataReader(bytes);
    reader.uint8();
    const code = reader.uint8();
    reader.uint8();
    reader.integer();
    await session.call(code, reader, new DataWriter(), AbortSignal.timeout(1000));
  } catch (error) {
    const isRefusal = error instanceof OracleError || error instanceof MalformedMessageError;
    if (!isRefusal && !(error instanceof DOMException)) {
      throw error;
    }
  }
}
