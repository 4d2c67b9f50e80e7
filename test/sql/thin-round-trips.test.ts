import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { type FaultedCall, TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { addMany, addNote, CREATE_NOTE, countNotes, readNote } from '../conformance/transport-note.ts';
import { connectThin } from '../connect-thin.ts';

const KEYS = {
  name: 'conformance.keys',
  sql: 'SELECT n.note_id AS note_id FROM conformance_note n ORDER BY n.note_id',
  binds: {},
  shape: { note_id: 'text' },
} as const;

/** Calls of the driver that reached the listener. */
const calls: FaultedCall[] = [];
let emulator: Emulator;
let transport: SqlTransport;

class RecordedCalls extends TnsFaults {
  override take(call: FaultedCall) {
    calls.push(call);
    return super.take(call);
  }
}

/** What a call costs on the network. */
async function tripsOf(call: () => Promise<unknown>): Promise<readonly FaultedCall[]> {
  calls.length = 0;
  await call();
  return [...calls];
}

beforeAll(async () => {
  emulator = await startEmulator({ tnsPort: 0, tnsFaults: new RecordedCalls() });
  transport = connectThin(emulator, { poolMax: 1 });
  await transport.executeDdl(CREATE_NOTE);
  await transport.executeAtomic(addMany(1_001));
});
/** So that the session was used within a second, whatever the machine does. */
beforeEach(async () => {
  await countNotes(transport);
});
afterAll(async () => {
  await transport?.close();
  await emulator?.close();
});

describe('round trips of a direct connection on the network', () => {
  it('are one for a query and all its rows, and one for a write', async () => {
    expect(await tripsOf(() => transport.query(KEYS))).toEqual(['execute']);
    expect(await tripsOf(() => transport.query(KEYS))).toEqual(['execute']);
    expect(await tripsOf(() => transport.executeAtomic(addNote()))).toEqual(['execute']);
  });

  it('are two for a query with CLOB columns, three for its first run on a session', async () => {
    expect(await tripsOf(() => readNote(transport, 'n1'))).toEqual(['execute', 'define', 'fetch']);
    expect(await tripsOf(() => readNote(transport, 'n1'))).toEqual(['execute', 'fetch']);
  });

  it('are three more for each CLOB that PL/SQL does not take as VARCHAR2', async () => {
    const write = (length: number, note_id: string) => () =>
      transport.executeAtomic(addNote({ note_id, content: 'x'.repeat(length) }));
    expect(await tripsOf(write(32_767, 'short'))).toEqual(['execute']);
    expect(await tripsOf(write(32_768, 'long'))).toEqual(['lob', 'lob', 'lob', 'execute']);
  });

  it('are a log-in and its settings before the first call, and none afterwards', async () => {
    const other = connectThin(emulator);
    const first = await tripsOf(() => countNotes(other));
    expect(first.filter((call) => call === 'execute')).toHaveLength(2);
    expect(first).toContain('login');
    expect(await tripsOf(() => countNotes(other))).toEqual(['execute']);
    await other.close();
  });
});
