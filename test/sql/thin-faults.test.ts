import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openThinTransport } from '../../functions/runtime/open-thin-transport.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { type TnsFault, TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { number } from '../../lib/sql/bind.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { addNote, addThen, CREATE_NOTE, countNotes, readNote } from '../conformance/transport-note.ts';
import { connectThin } from '../connect-thin.ts';
import { type StallingProxy, startStallingProxy } from './stalling-proxy.ts';

let faults = new TnsFaults();
let emulator: Emulator;
const opened: SqlTransport[] = [];

function open(options: Parameters<typeof connectThin>[1] = {}): SqlTransport {
  const transport = connectThin(emulator, options);
  opened.push(transport);
  return transport;
}

/** What happens when the next planned fault is met. */
let onFault: (() => void) | undefined;

/** The next call waits in the database, from when it has reached it until it is released. */
function holdNext(): { readonly reached: Promise<void>; release(): void } {
  const held = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  faults.plan('execute', { kind: 'wait', until: held.promise });
  onFault = reached.resolve;
  return { reached: reached.promise, release: held.resolve };
}

/** Opens both sessions of a transport, so that the next calls find them. */
async function openSessions(transport: SqlTransport): Promise<void> {
  const outcomes = await Promise.all([countNotes(transport), countNotes(transport)]);
  expect(outcomes).toEqual([0, 0]);
}

function codesOf(outcomes: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return outcomes.map((each) =>
    each.status === 'rejected' && AgentMemoryError.is(each.reason) ? each.reason.code : each.status,
  );
}

beforeAll(async () => {
  const planned: Pick<TnsFaults, 'plan' | 'take' | 'takeRefusal'> = {
    plan: (call, ...list) => faults.plan(call, ...list),
    take(call) {
      const fault = faults.take(call);
      if (fault !== undefined) onFault?.();
      return fault;
    },
    takeRefusal: () => faults.takeRefusal(),
  };
  emulator = await startEmulator({ tnsPort: 0, tnsFaults: Object.assign(new TnsFaults(), planned) });
  const transport = open();
  await transport.executeDdl(CREATE_NOTE);
});
beforeEach(async () => {
  faults = new TnsFaults();
  const statements = [{ name: 'all', sql: 'DELETE FROM conformance_note' }];
  await open().executeAtomic({ name: 'clear', binds: {}, statements });
});
afterEach(async () => {
  vi.useRealTimers();
  await Promise.all(opened.splice(0).map((transport) => transport.close()));
});
afterAll(() => emulator?.close());

describe('a direct connection whose session dies', () => {
  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('sends a write once when it is cut %s it ran', async (when, rows) => {
    const transport = open();
    await countNotes(transport);
    faults.plan('execute', { kind: 'cut', when });
    await expect(transport.executeAtomic(addNote())).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
      retryAfterSeconds: 2,
    });
    expect(await countNotes(transport)).toBe(rows);
  });

  it('runs a query once more, and not twice', async () => {
    const transport = open();
    await countNotes(transport);
    faults.plan('execute', { kind: 'cut', when: 'after' });
    expect(await countNotes(transport)).toBe(0);
    const cut: TnsFault = { kind: 'cut', when: 'before' };
    // The second of four is what a new session sets.
    faults.plan('execute', cut, { kind: 'none' }, cut, { kind: 'none' });
    await expect(countNotes(transport)).rejects.toMatchObject({ code: 'unavailable', retryable: true });
    expect(await countNotes(transport)).toBe(0);
  });

  it('goes on when the listener comes back, and writes that find nobody have not been sent', async () => {
    const transport = open();
    await countNotes(transport);
    await emulator.listener?.stop();
    await expect(transport.executeAtomic(addNote())).rejects.toMatchObject({
      code: 'unavailable',
      retryable: true,
    });
    await emulator.listener?.start();
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    expect(await countNotes(transport)).toBe(1);
  });

  it('sends a write that found a refused connection', async () => {
    faults.plan('login', { kind: 'raise', number: 12514 }, { kind: 'raise', number: 12528 });
    await expect(open().executeAtomic(addNote())).rejects.toMatchObject({ code: 'unavailable' });
    faults.plan('login', { kind: 'cut', when: 'before' });
    expect(await open().executeAtomic(addNote())).toEqual({ note: 1 });
  });
});

describe('a direct connection whose process was frozen', () => {
  let proxy: StallingProxy;
  beforeEach(async () => {
    proxy = await startStallingProxy(Number(/:(\d+)\//.exec(emulator.connectString ?? '')?.[1]));
  });
  afterEach(() => proxy.close());

  function openThroughProxy(timeoutMilliseconds?: number): SqlTransport {
    const { username: user, password } = emulator;
    const transport = openThinTransport({
      connectString: `127.0.0.1:${proxy.port}/AGENTMEMORY`,
      credentials: { kind: 'password', user, password },
      timeoutMilliseconds,
    });
    opened.push(transport);
    return transport;
  }

  it('finds dead sockets with a ping, and a write is sent on a new one', async () => {
    const transport = openThroughProxy();
    await openSessions(transport);
    expect(proxy.opened).toBe(2);
    proxy.stall();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 60_000);
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    expect(proxy.opened).toBe(3);
    expect(await countNotes(transport)).toBe(1);
  });

  it('gives up a session that does not answer to an interrupt, and the next call has another', async () => {
    const transport = openThroughProxy(500);
    await countNotes(transport);
    proxy.stall();
    const outcomes = await Promise.allSettled([transport.executeAtomic(addNote()), countNotes(transport)]);
    expect(codesOf(outcomes)).toEqual(['timeout', 'fulfilled']);
    expect(await transport.executeAtomic(addNote({ note_id: 'n2' }))).toEqual({ note: 1 });
    expect(await countNotes(transport)).toBe(1);
  });
});

describe('a direct connection with too many callers', () => {
  it('serves 200 with two sessions', async () => {
    const transport = open({ poolMax: 2 });
    const ids = Array.from({ length: 200 }, (_, index) => `n${index}`);
    await Promise.all(ids.map((note_id) => transport.executeAtomic(addNote({ note_id }))));
    expect(await countNotes(transport)).toBe(200);
  });

  it('tells those who would wait too long to come again, and they have written nothing', async () => {
    const transport = open({ poolMax: 2 });
    await openSessions(transport);
    const add = (name: string) => transport.executeAtomic(addNote({ note_id: name }));
    const first = holdNext();
    const held = [add('a')];
    await first.reached;
    const second = holdNext();
    held.push(add('b'));
    await second.reached;
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const waiting = Promise.allSettled(Array.from({ length: 198 }, (_, index) => add(`n${index}`)));
    await vi.advanceTimersByTimeAsync(5_000);
    const outcomes = await waiting;
    vi.useRealTimers();
    first.release();
    second.release();
    expect(await Promise.all(held)).toEqual([{ note: 1 }, { note: 1 }]);
    expect(new Set(codesOf(outcomes))).toEqual(new Set(['unavailable']));
    expect(outcomes[0]).toMatchObject({ reason: { retryable: true, retryAfterSeconds: 5 } });
    expect(await countNotes(transport)).toBe(2);
  });
});

describe('a direct connection whose log-in hangs', () => {
  it('is given up with its pool, and the next call has another', async () => {
    const transport = open();
    const held = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    onFault = reached.resolve;
    faults.plan('login', { kind: 'wait', until: held.promise });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = Promise.allSettled([transport.executeAtomic(addNote())]);
    await reached.promise;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(codesOf(await outcome)).toEqual(['unavailable']);
    vi.useRealTimers();
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    held.resolve();
    expect(await countNotes(transport)).toBe(1);
  });
});

describe('an error of a direct connection', () => {
  it.each([
    [1, 'conflict', false],
    [60, 'unavailable', true],
    [942, 'unavailable', false],
    [1013, 'timeout', true],
    [1031, 'internal', false],
    [3113, 'unavailable', true],
    [8177, 'unavailable', true],
    [12899, 'invalid_request', false],
  ] as const)('ORA-%i undoes the list and is %s', async (raised, code, retryable) => {
    const transport = open();
    await countNotes(transport);
    faults.plan('execute', { kind: 'raise', number: raised, text: 'SECRET.TABLE_X' });
    const failed: unknown = await transport.executeAtomic(addNote()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code, retryable });
    expect(String(failed)).not.toMatch(/SECRET|ORA-|NJS-/);
    expect(await countNotes(transport)).toBe(0);
  });

  it.each([
    [18, 'unavailable', true, 5],
    [1017, 'internal', false, undefined],
    [12514, 'unavailable', true, 2],
    [12516, 'unavailable', true, 5],
    [28000, 'internal', false, undefined],
  ] as const)('ORA-%i at log-in is %s', async (raised, code, retryable, retryAfterSeconds) => {
    const refusal: TnsFault = { kind: 'raise', number: raised };
    faults.plan('login', refusal, refusal, refusal);
    const failed: unknown = await countNotes(open()).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code, retryable, retryAfterSeconds });
    // A log-in that is refused for its password must not be tried again: that locks accounts.
    const left = [faults.take('login'), faults.take('login')].filter((fault) => fault !== undefined);
    if (code === 'internal') expect(left).toHaveLength(2);
  });

  it('keeps an expectation that is not met apart from an error', async () => {
    const sql = 'UPDATE conformance_note SET amount = :amount_2 WHERE note_id = :other';
    const expectation = { rows: 1, otherwise: 'not_found', message: 'no such note' } as const;
    const list = addThen(
      { name: 'other', sql, expect: expectation },
      { amount_2: number(1), other: { type: 'text', value: 'none' } },
    );
    await expect(open().executeAtomic(list)).rejects.toMatchObject({
      code: 'not_found',
      message: 'no such note',
    });
  });

  it('reads once more with a new cursor when tables changed under the old one', async () => {
    const transport = open();
    await countNotes(transport);
    faults.plan('execute', { kind: 'raise', number: 932 });
    expect(await countNotes(transport)).toBe(0);
    await open().executeDdl('ALTER TABLE conformance_note ADD (extra VARCHAR2(10 CHAR))');
    expect(await countNotes(transport)).toBe(0);
    faults.plan('execute', { kind: 'raise', number: 932 });
    await expect(transport.executeAtomic(addNote())).rejects.toMatchObject({ code: 'internal' });
  });
});

describe('a call of a direct connection that its caller gives up', () => {
  it('ends at once, is undone, and leaves its session in order', async () => {
    const transport = open({ poolMax: 1 });
    await countNotes(transport);
    const { reached, release } = holdNext();
    const controller = new AbortController();
    const outcome = transport.executeAtomic(addNote(), { signal: controller.signal });
    await reached;
    controller.abort('stop');
    await expect(outcome).rejects.toBe('stop');
    expect(await countNotes(transport)).toBe(0);
    expect(await transport.executeAtomic(addNote())).toEqual({ note: 1 });
    release();
    expect(await readNote(transport, 'n1')).toMatchObject({ note_id: 'n1' });
  });

  it('is a time-out when it takes too long', async () => {
    const transport = open({ poolMax: 1, timeoutMilliseconds: 300 });
    await countNotes(transport);
    const { release } = holdNext();
    await expect(transport.executeAtomic(addNote())).rejects.toMatchObject({
      code: 'timeout',
      retryable: true,
    });
    expect(await countNotes(transport)).toBe(0);
    release();
  });

  it('takes no call after its end, which waits for those that run', async () => {
    const transport = open({ poolMax: 1 });
    await countNotes(transport);
    const { reached, release } = holdNext();
    const write = transport.executeAtomic(addNote());
    await reached;
    const end = transport.close();
    await expect(countNotes(transport)).rejects.toMatchObject({ code: 'unavailable' });
    release();
    expect(await write).toEqual({ note: 1 });
    await end;
    await transport.close();
  });
});
