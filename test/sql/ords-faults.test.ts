import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpFaults } from '../../infra/local/oracle/ords/fault-middleware.ts';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import type { OrdsConfig } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import { addNote, addThen, CREATE_NOTE, countNotes } from '../conformance/transport-note.ts';

const CLIENT = { clientId: 'service', clientSecret: 'of the test' };
const faults = new HttpFaults();
const clock = { now: 0 };
/** Fails the next statement that contains the text. */
let statementFault: { readonly text: string; readonly number: number } | undefined;
let emulator: Emulator;
/** Requests to the emulator: path and status of the answer, or that there was none. */
const exchanges: string[] = [];

function connect(credentials?: OrdsConfig['credentials']) {
  const { ordsUrl: url, username, password } = emulator;
  return createOrdsTransport(
    { url, credentials: credentials ?? { kind: 'basic', username, password } },
    {
      now: () => clock.now,
      wait: async () => {},
      fetch: async (input, init) => {
        const path = String(input).split('/').at(-1);
        try {
          const response = await emulator.fetch(input, init);
          exchanges.push(`${path} ${response.status}`);
          return response;
        } catch (error) {
          exchanges.push(`${path} cut`);
          throw error;
        }
      },
    },
  );
}

describe('the ORDS transport when something goes wrong', () => {
  beforeAll(async () => {
    emulator = await startEmulator({
      clients: [CLIENT],
      tokenSeconds: 3600,
      now: () => clock.now,
      middleware: faults.middleware,
      faults: {
        beforeStatement(text) {
          if (statementFault === undefined || !text.includes(statementFault.text)) return;
          const { number } = statementFault;
          statementFault = undefined;
          throw new OracleError(number, 'raised by the test');
        },
      },
    });
    await connect().executeDdl(CREATE_NOTE);
  });
  beforeEach(async () => {
    const statements = [{ name: 'all', sql: 'DELETE FROM conformance_note' }];
    await connect().executeAtomic({ name: 'clear', binds: {}, statements });
    exchanges.length = 0;
  });
  afterAll(() => emulator?.close());

  it('sends a write once when its answer is lost: it was committed', async () => {
    faults.plan({ kind: 'cut', when: 'after' });
    const transport = withCounting(connect());
    await expect(transport.executeAtomic(addNote())).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    expect(exchanges).toEqual(['sql cut']);
    expect(await countNotes(transport)).toBe(1);
  });

  it('sends a query again when its answer is lost', async () => {
    faults.plan({ kind: 'cut', when: 'after' }, { kind: 'cut', when: 'before' });
    expect(await countNotes(connect())).toBe(0);
    expect(exchanges).toEqual(['sql cut', 'sql cut', 'sql 200']);
  });

  it.each([
    [60, 'unavailable', true],
    [8177, 'unavailable', true],
    [1013, 'timeout', true],
    [1653, 'unavailable', true],
  ])('undoes the whole list for ORA-%i in its second statement', async (number, code, retryable) => {
    const second = { name: 'second', sql: "INSERT INTO conformance_note (note_id) VALUES ('second')" };
    statementFault = { text: "'second'", number };
    await expect(connect().executeAtomic(addThen(second))).rejects.toMatchObject({ code, retryable });
    expect(statementFault).toBeUndefined();
    expect(await countNotes(connect())).toBe(0);
  });

  it('passes a busy pool on without another try', async () => {
    faults.plan({
      kind: 'answer',
      status: 503,
      body: '<html>pool in use</html>',
      headers: { 'retry-after': '3' },
    });
    await expect(countNotes(connect())).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 3 });
    expect(exchanges).toEqual(['sql 503']);
  });

  it('renews a token that expired on the server or was revoked', async () => {
    const transport = connect({ kind: 'client_credentials', ...CLIENT });
    expect(await countNotes(transport)).toBe(0);
    clock.now += 3_600_000;
    expect(await countNotes(transport)).toBe(0);
    faults.plan({ kind: 'answer', status: 401, body: '' });
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    const renewed = ['token 200', 'sql 200'];
    expect(exchanges).toEqual([...renewed, ...renewed, 'sql 401', ...renewed]);
  });

  it('tries refused credentials once', async () => {
    const wrong = connect({ kind: 'basic', username: emulator.username, password: 'wrong' });
    await expect(countNotes(wrong)).rejects.toMatchObject({ code: 'internal', retryable: false });
    const client = connect({ kind: 'client_credentials', clientId: 'service', clientSecret: 'wrong' });
    await expect(countNotes(client)).rejects.toMatchObject({ code: 'internal', retryable: false });
    expect(exchanges).toEqual(['sql 401', 'token 401']);
  });
});
