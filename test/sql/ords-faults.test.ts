import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { HttpFaults } from '../../infra/local/oracle/ords/fault-middleware.ts';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { withCounting } from '../../lib/sql/counting-transport.ts';
import { ORDS_MODES, type OrdsConfig, type OrdsMode } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { addNote, addThen, CREATE_NOTE, countNotes } from '../conformance/transport-note.ts';
import { createModuleTransport } from '../module-transport.ts';

const CLIENT = { clientId: 'service', clientSecret: 'of the test' };
const faults = new HttpFaults();
const clock = { now: 0 };
/** Fails the next statement that contains the text. */
let statementFault: { readonly text: string; readonly number: number } | undefined;
let emulator: Emulator;
/** Requests to the emulator: path and status of the answer, or that there was none. */
const exchanges: string[] = [];

function createModuleOrSql(mode: OrdsMode, config: Omit<OrdsConfig, 'mode'>): SqlTransport {
  return createOrdsTransport({ ...config, mode }, { wait: async () => {}, fetch: recordingFetch });
}

/** What the tests send to the module is installed when it is sent. */
function connectTo(mode: OrdsMode, credentials?: OrdsConfig['credentials']): SqlTransport {
  const { ordsUrl: url, username, password } = emulator;
  const config = { url, credentials: credentials ?? ({ kind: 'basic', username, password } as const) };
  const runtime = { now: () => clock.now, wait: async () => {}, fetch: recordingFetch };
  return mode === 'module'
    ? createModuleTransport(emulator, { ...config, runtime, isOfTest: () => true })
    : createOrdsTransport(config, runtime);
}

const recordingFetch: typeof fetch = async (input, init) => {
  const path = /\/(token|sql|call)\b/.exec(String(input))?.[1];
  try {
    const response = await emulator.fetch(input, init);
    exchanges.push(`${path} ${response.status}`);
    return response;
  } catch (error) {
    exchanges.push(`${path} cut`);
    throw error;
  }
};

describe.each(ORDS_MODES)('the ORDS transport when something goes wrong, %s', (mode) => {
  const path = mode === 'module' ? 'call' : 'sql';
  const connect = (credentials?: OrdsConfig['credentials']) => connectTo(mode, credentials);

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
    expect(exchanges).toEqual([`${path} cut`]);
    expect(await countNotes(transport)).toBe(1);
  });

  it('sends a query again when its answer is lost', async () => {
    faults.plan({ kind: 'cut', when: 'after' }, { kind: 'cut', when: 'before' });
    expect(await countNotes(connect())).toBe(0);
    expect(exchanges).toEqual([`${path} cut`, `${path} cut`, `${path} 200`]);
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
    expect(exchanges).toEqual([`${path} 503`]);
  });

  it('renews a token that expired on the server or was revoked', async () => {
    const transport = connect({ kind: 'client_credentials', ...CLIENT });
    expect(await countNotes(transport)).toBe(0);
    clock.now += 3_600_000;
    expect(await countNotes(transport)).toBe(0);
    faults.plan({ kind: 'answer', status: 401, body: '' });
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    const renewed = ['token 200', `${path} 200`];
    expect(exchanges).toEqual([...renewed, ...renewed, `${path} 401`, ...renewed]);
  });

  it('is a time-out when the endpoint answers too late, and the write is not sent again', async () => {
    const gate = Promise.withResolvers<void>();
    faults.plan({ kind: 'wait', until: gate.promise });
    const { ordsUrl: url, username, password } = emulator;
    const credentials = { kind: 'basic', username, password } as const;
    const hurried = createModuleOrSql(mode, { url, credentials, timeoutMilliseconds: 20 });
    await expect(hurried.executeAtomic(addNote())).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    gate.resolve();
    expect(exchanges).toEqual([`${path} cut`]);
  });

  it('says that the address is wrong for an alias that nobody has', async () => {
    const { ordsUrl, username, password } = emulator;
    const credentials = { kind: 'basic', username, password } as const;
    const lost = createModuleOrSql(mode, { url: `${ordsUrl}x`, credentials });
    await expect(countNotes(lost)).rejects.toMatchObject({ code: 'unavailable', retryable: false });
    expect(exchanges).toEqual([`${path} 404`]);
  });

  it('tries refused credentials once', async () => {
    const wrong = connect({ kind: 'basic', username: emulator.username, password: 'wrong' });
    await expect(countNotes(wrong)).rejects.toMatchObject({ code: 'internal', retryable: false });
    const client = connect({ kind: 'client_credentials', clientId: 'service', clientSecret: 'wrong' });
    await expect(countNotes(client)).rejects.toMatchObject({ code: 'internal', retryable: false });
    expect(exchanges).toEqual([`${path} 401`, 'token 401']);
  });
});
