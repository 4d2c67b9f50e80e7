import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import oracledb from 'oracledb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';
import { handshakeAnswer } from '../../infra/local/oracle/tns/messages/handshake.ts';
import { TnsFaults } from '../../infra/local/oracle/tns/tns-faults.ts';
import { attributesOf, connect, driverError, firstValue, startTnsEmulator } from './tns-fixture.ts';

const faults = new TnsFaults();
let emulator: Emulator;

beforeAll(async () => {
  emulator = await startTnsEmulator({ tnsFaults: faults });
});
afterAll(() => emulator.close());

const port = () => Number(/:(\d+)\//.exec(emulator.connectString ?? '')?.[1]);

describe('login', () => {
  test('tells the version and the names of the database', async () => {
    const connection = await connect(emulator);
    expect(connection.oracleServerVersionString).toBe('23.9.0.25.7');
    expect(connection.serviceName).toBe('AGENTMEMORY');
    expect(connection.maxIdentifierLength).toBe(128);
    await connection.close();
  });

  test('takes the user without regard to case and the password with it', async () => {
    const { password } = emulator;
    await (await connect(emulator, { user: 'MeMoRy' })).close();
    for (const attributes of [
      { password: password.toUpperCase() },
      { password: `${password} ` },
      { password: 'é'.repeat(40) },
      { user: 'nobody' },
    ]) {
      expect((await driverError(connect(emulator, attributes))).number).toBe(1017);
    }
  });

  test('an unknown service is NJS-518, a SID is NJS-519', async () => {
    const host = `127.0.0.1:${port()}`;
    expect((await driverError(connect(emulator, { connectString: `${host}/NOSUCH` }))).code).toBe('NJS-518');
    const sid = `(DESCRIPTION=(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${port()}))(CONNECT_DATA=(SID=memory)))`;
    expect((await driverError(connect(emulator, { connectString: sid }))).code).toBe('NJS-519');
  });

  test('a long descriptor comes in a packet of its own', async () => {
    const program = 'x'.repeat(300);
    const descriptor = `(DESCRIPTION=(SDU=1024)(ADDRESS=(PROTOCOL=TCP)(HOST=127.0.0.1)(PORT=${port()}))(CONNECT_DATA=(SERVICE_NAME=AGENTMEMORY)(CID=(PROGRAM=${program}))))`;
    const connection = await connect(emulator, { connectString: descriptor });
    expect(await firstValue(connection, "SELECT RPAD('x', 3000, 'y') FROM dual")).toHaveLength(3000);
    await connection.close();
  });

  test('a session in another time zone runs nothing before it is set to UTC', async () => {
    vi.stubEnv('ORA_SDTZ', 'America/New_York');
    const connection = await connect(emulator);
    vi.unstubAllEnvs();
    const refused = await driverError(connection.execute('SELECT 1 FROM dual'));
    expect(refused.number).toBe(3001);
    expect(refused.message).toContain('ORA_SDTZ');
    await connection.execute("ALTER SESSION SET TIME_ZONE = 'UTC'");
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
    await connection.close();
  });

  test('only a driver that sends its time zone gets that of the database', () => {
    const types = (runtime: Buffer, timeZone: Buffer) =>
      Buffer.concat([
        Buffer.from([2, 0, 0, 0, 0, 0, 1, 0, runtime.length]),
        runtime,
        timeZone,
        Buffer.alloc(2),
      ]);
    const older = handshakeAnswer(types(Buffer.from([2, 0]), Buffer.alloc(0)));
    const newer = handshakeAnswer(types(Buffer.from([2, 1]), Buffer.alloc(11)));
    expect([older?.length, newer?.length]).toEqual([3, 14]);
  });

  test('the older handshake, without fast authentication and marks at the end of answers', async () => {
    const older = await startTnsEmulator({ tnsHandshake: '19c' });
    try {
      expect((await driverError(connect(older, { password: 'wrong' }))).number).toBe(1017);
      const connection = await connect(older);
      expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
      expect((await driverError(connection.execute('SELECT nothing FROM dual'))).number).toBe(904);
      await connection.close();
    } finally {
      await older.close();
    }
  });

  test.each([
    [28000, 'ORA-28000', 28000],
    [18, 'ORA-00018', 18],
    [12514, 'NJS-518', undefined],
    [12516, 'NJS-511', undefined],
  ])('refuses a login with ORA-%i when a test wants it', async (number, code, errorNumber) => {
    faults.plan('login', { kind: 'raise', number });
    const error = await driverError(connect(emulator));
    expect([error.code, error.number]).toEqual([code, errorNumber]);
    await (await connect(emulator)).close();
  });
});

describe('bytes that are no protocol', () => {
  /** Sends bytes on a new connection and waits until the listener ends it. */
  async function send(...chunks: readonly Buffer[]): Promise<Buffer> {
    const socket = connectSocket(port(), '127.0.0.1');
    const received: Buffer[] = [];
    socket.on('data', (chunk: Buffer) => received.push(chunk));
    await once(socket, 'connect');
    for (const chunk of chunks) {
      socket.write(chunk);
    }
    await once(socket, 'close');
    return Buffer.concat(received);
  }

  function connectPacket(version: number): Buffer {
    const data = Buffer.from('(DESCRIPTION=(CONNECT_DATA=(SERVICE_NAME=AGENTMEMORY)))');
    const packet = Buffer.alloc(74 + data.length);
    packet.writeUInt16BE(packet.length, 0);
    packet.writeUInt8(1, 4);
    packet.writeUInt16BE(version, 8);
    packet.writeUInt16BE(data.length, 24);
    packet.writeUInt16BE(74, 26);
    packet.writeUInt32BE(8192, 58);
    data.copy(packet, 74);
    return packet;
  }

  test('end the connection, and nothing else', async () => {
    const written = vi.spyOn(process.stdout, 'write');
    const random = Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919 + 13) % 251));
    const garbage = Buffer.concat([Buffer.from('00000014060000000800630101', 'hex'), Buffer.alloc(7, 0xff)]);
    for (const chunks of [
      [Buffer.from('GET / HTTP/1.1\r\n\r\n')],
      [random],
      [Buffer.alloc(64)],
      [connectPacket(319).subarray(0, 40), Buffer.alloc(100)],
      [connectPacket(319), garbage],
      [connectPacket(319), Buffer.from('ffffffff06000000', 'hex')],
    ]) {
      await send(...chunks);
    }
    const connection = await connect(emulator);
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
    await connection.close();
    expect(written).not.toHaveBeenCalled();
    written.mockRestore();
  });

  test('a client that goes away inside a packet leaves nothing behind', async () => {
    const socket = connectSocket(port(), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(connectPacket(319).subarray(0, 50));
    socket.destroy();
    await once(socket, 'close');
    await (await connect(emulator)).close();
  });

  test('an old version of the protocol is refused', async () => {
    expect((await send(connectPacket(310))).toString('latin1')).toContain('(ERR=12618)');
  });
});

describe('the listener', () => {
  test('ends its sessions when it stops, and listens again on its port', async () => {
    const own = await startTnsEmulator();
    try {
      const connection = await connect(own);
      await connection.execute("INSERT INTO notes (note_id, title) VALUES (1, 'lost')");
      const address = own.connectString;
      await own.listener?.stop();
      expect((await driverError(connection.execute('SELECT 1 FROM dual'))).code).toBe('NJS-500');
      expect((await driverError(connect(own))).code).toMatch(/^NJS-5/);
      await own.listener?.start();
      expect(own.connectString).toBe(address);
      const again = await connect(own);
      expect(await firstValue(again, 'SELECT COUNT(*) FROM notes')).toBe(0);
      await again.close();
    } finally {
      await own.close();
    }
  });

  test('sessions of a server-side pool forget cursors, transactions and contexts', async () => {
    const setUp = await connect(emulator);
    for (const sql of [
      'CREATE CONTEXT note_context USING choose_owner',
      `CREATE PROCEDURE choose_owner(p_owner IN VARCHAR2) AUTHID DEFINER IS
       BEGIN DBMS_SESSION.SET_CONTEXT('note_context', 'OWNER', p_owner); END;`,
    ]) {
      await setUp.execute(sql);
    }
    await setUp.close();
    const owner = "SELECT SYS_CONTEXT('NOTE_CONTEXT', 'OWNER') FROM dual";
    const pool = await oracledb.createPool({
      ...attributesOf(emulator),
      connectString: `${emulator.connectString}:pooled`,
      poolMax: 1,
    });
    for (let round = 0; round < 320; round += 1) {
      const connection = await pool.getConnection();
      expect(await firstValue(connection, 'SELECT COUNT(*) FROM notes')).toBe(0);
      expect(await firstValue(connection, owner)).toBeNull();
      await connection.execute('BEGIN choose_owner(:owner); END;', { owner: 'someone' });
      expect(await firstValue(connection, owner)).toBe('someone');
      await connection.execute('INSERT INTO notes (note_id) VALUES (:id)', { id: round });
      await connection.close();
    }
    await pool.close(0);
  });

  test('a pool of four and twenty sessions at once', async () => {
    const pool = await oracledb.createPool({ ...attributesOf(emulator), poolMin: 0, poolMax: 4 });
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map(async (number) => {
        const connection = await pool.getConnection();
        try {
          return await firstValue(connection, 'SELECT :n FROM dual', { n: number });
        } finally {
          await connection.close();
        }
      }),
    );
    expect(answers).toEqual(numbers);
    expect(pool.connectionsOpen).toBe(4);
    await pool.close(0);

    const sessions = await Promise.all(numbers.slice(0, 20).map(() => connect(emulator)));
    const values = await Promise.all(
      sessions.map((session, index) => firstValue(session, 'SELECT :n FROM dual', { n: index })),
    );
    expect(values).toEqual(numbers.slice(0, 20));
    await Promise.all(sessions.map((session) => session.close()));
  });
});
