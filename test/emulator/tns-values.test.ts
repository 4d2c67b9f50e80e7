import fc from 'fast-check';
import oracledb, { type Connection } from 'oracledb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '../../infra/local/oracle/start-emulator.ts';
import {
  CLOB_AS_TEXT,
  connect,
  driverError,
  firstValue,
  lobOf,
  rowsOf,
  startTnsEmulator,
} from './tns-fixture.ts';

let emulator: Emulator;
let connection: Connection;

beforeAll(async () => {
  emulator = await startTnsEmulator();
  connection = await connect(emulator);
});
afterAll(async () => {
  await connection.close();
  await emulator.close();
});

/** What a bind comes back as, from a query and from a block. */
async function echo(value: unknown, type: oracledb.DbType | number, outType = type): Promise<unknown[]> {
  const bind = { val: value, type, dir: oracledb.BIND_IN };
  const out = { dir: oracledb.BIND_OUT, type: outType, maxSize: 32_767 };
  const selected = await firstValue(connection, 'SELECT :v FROM dual', { v: bind }, CLOB_AS_TEXT);
  const { outBinds } = await connection.execute<{ o: unknown }>('BEGIN :o := :v; END;', { v: bind, o: out });
  return [selected, outBinds?.o];
}

/** A row of KINDS with one column set, read back. */
async function store(
  column: string,
  bind: oracledb.BindParameter | string | Buffer,
  options: oracledb.ExecuteOptions = CLOB_AS_TEXT,
): Promise<unknown> {
  await connection.execute(`INSERT INTO kinds (id, ${column}) VALUES (1, :v)`, { v: bind });
  const value = await firstValue(connection, `SELECT ${column} FROM kinds WHERE id = 1`, {}, options);
  await connection.rollback();
  return value;
}

describe('numbers', () => {
  test.each([
    0,
    1,
    -1,
    10,
    99,
    100,
    101,
    -100,
    0.1,
    -0.1,
    0.01,
    0.001,
    1.5,
    -1.5,
    123_456.789,
    1 / 3,
    0.1 + 0.2,
    1e21,
    1.7976931348623155e125,
    1e-130,
    9.99e-10,
    2 ** 31,
    2 ** 53 - 1,
    -(2 ** 53) + 1,
    1e15,
    123_456_789_012_345_680,
  ])('%d is the same on the way back', async (number) => {
    expect(await echo(number, oracledb.NUMBER)).toEqual([number, number]);
  });

  test('any number of JavaScript in the range of NUMBER comes back exactly', async () => {
    const range = { min: -1e100, max: 1e100, noNaN: true };
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.double(range).filter((value) => value === 0 || Math.abs(value) > 1e-100),
      fc.double({ min: -1, max: 1, noNaN: true }).filter((value) => value === 0 || Math.abs(value) > 1e-100),
    );
    await fc.assert(
      fc.asyncProperty(number, async (value) => {
        const back = await firstValue(connection, 'SELECT :v FROM dual', { v: value });
        expect(back).toBe(value === 0 ? 0 : value);
      }),
      { numRuns: 300 },
    );
  });

  test('more digits than JavaScript has come as text', async () => {
    const options = { fetchTypeHandler: () => ({ type: oracledb.STRING }) };
    for (const digits of ['12345678901234567890123456789012345678', '-0.1234567890123456789', '-1E-20']) {
      const text = await firstValue(connection, `SELECT ${digits} FROM dual`, {}, options);
      expect(text).toBe(digits.replace('-0.', '-.').replace('-1E-20', '-.00000000000000000001'));
    }
  });

  test('BINARY_DOUBLE and BINARY_FLOAT', async () => {
    for (const value of [0, -0.5, 1.1, -1e300, 5e-324, Number.POSITIVE_INFINITY]) {
      expect(await store('ratio', { val: value, type: oracledb.DB_TYPE_BINARY_DOUBLE })).toBe(value);
    }
    expect(await store('small', { val: 0.1, type: oracledb.DB_TYPE_BINARY_FLOAT })).toBe(Math.fround(0.1));
  });
});

describe('text', () => {
  test.each([
    ['multibyte', 'äöü – 漢字 – \u{1F600}\u{1F468}‍\u{1F469}'],
    ['a byte order mark', '\ufeffx\ufeff'],
    ['control characters', '\u0001\t\r\n\u007f'],
    ['4,000 bytes', 'é'.repeat(2000)],
    ['quotes and placeholders', `it's "x" :y ? & \\ --`],
  ])('%s in VARCHAR2', async (_name, text) => {
    expect(await echo(text, oracledb.STRING)).toEqual([text, text]);
    expect(await store('name', text)).toBe(text);
  });

  test('an empty text is NULL', async () => {
    expect(await echo('', oracledb.STRING)).toEqual([null, null]);
    expect(await store('body', { val: '', type: oracledb.CLOB })).toBeNull();
  });

  test('half of a character becomes the replacement character', async () => {
    expect(await store('name', 'a\ud83dz')).toBe('a\ufffdz');
    expect(await store('body', { val: 'a\ud83dz', type: oracledb.CLOB })).toBe('a\ufffdz');
  });

  const SIZES = [1, 252, 253, 4000, 4001, 8171, 8182, 32_767, 32_768, 65_535, 65_536, 100_000, 3_000_000];

  test.each(SIZES)('a CLOB of %i characters, inline and as a LOB', async (size) => {
    const text = `${'x'.repeat(size - 1)}y`;
    expect((await store('body', text)) === text).toBe(true);
    expect((await store('body', { val: text, type: oracledb.CLOB })) === text).toBe(true);
  });

  test.each(SIZES)('%i characters through a block', async (size) => {
    const text = 'é\u{1F600}'.repeat(Math.ceil(size / 3)).slice(0, size);
    const { outBinds } = await connection.execute<{ o: oracledb.Lob }>('BEGIN :o := :v; END;', {
      v: { val: text.toWellFormed(), type: oracledb.CLOB },
      o: { dir: oracledb.BIND_OUT, type: oracledb.CLOB },
    });
    expect((await outBinds?.o.getData()) === text.toWellFormed()).toBe(true);
    await outBinds?.o.close();
  });

  test('multibyte characters at every place of a packet and of a piece', async () => {
    const text = '\u{1F600}é漢a'.repeat(30_000);
    for (const shift of ['', 'a', 'ab', 'abc']) {
      expect((await store('body', shift + text)) === shift + text).toBe(true);
    }
  });

  test('any text comes back as well-formed text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }), async (text) => {
        const clean = text.replaceAll('\0', '-');
        expect(await firstValue(connection, 'SELECT :v FROM dual', { v: clean })).toBe(clean.toWellFormed());
      }),
      { numRuns: 100 },
    );
  });

  test('an OUT text longer than its room is ORA-06502', async () => {
    const binds = { v: 'four', o: { dir: oracledb.BIND_OUT, type: oracledb.STRING, maxSize: 3 } };
    expect((await driverError(connection.execute('BEGIN :o := :v; END;', binds))).number).toBe(6502);
  });

  test('national characters', async () => {
    const text = 'é漢\u{1F600}';
    expect(await store('name', { val: text, type: oracledb.DB_TYPE_NVARCHAR })).toBe(text);
  });
});

describe('LOBs', () => {
  test('are read in pieces, with lengths in UTF-16', async () => {
    const text = `${'\u{1F600}'.repeat(10_000)}end`;
    await connection.execute('INSERT INTO kinds (id, body) VALUES (2, :v)', { v: text });
    const lob = lobOf(await firstValue(connection, 'SELECT body FROM kinds WHERE id = 2'));
    expect(lob.length).toBe(text.length);
    let read = '';
    for await (const piece of lob.setEncoding('utf8')) {
      read += String(piece);
    }
    expect(read === text).toBe(true);
    await connection.rollback();
  });

  test('temporary ones are written, cut, read and freed', async () => {
    const lob = await connection.createLob(oracledb.CLOB);
    await new Promise<void>((resolve, reject) => {
      lob.on('error', reject);
      lob.on('finish', resolve);
      lob.write('first ');
      lob.end('second');
    });
    expect(await store('body', { val: lob, type: oracledb.CLOB })).toBe('first second');
    await lob.close();
    expect(await firstValue(connection, 'SELECT 1 FROM dual')).toBe(1);
  });

  test('bytes: RAW, BLOB as a buffer and as a LOB', async () => {
    const bytes = Buffer.from(Array.from({ length: 2000 }, (_, index) => index % 256));
    const large = Buffer.concat(Array.from({ length: 60 }, () => bytes));
    expect(await store('bytes', bytes)).toEqual(bytes);
    const asBuffer = { fetchTypeHandler: () => ({ type: oracledb.BUFFER }) };
    expect(await store('picture', { val: large, type: oracledb.BLOB }, asBuffer)).toEqual(large);
    const lob = lobOf(await store('picture', { val: large, type: oracledb.BLOB }, {}));
    expect(await lob.getData()).toEqual(large);
  });
});

describe('times', () => {
  const INSTANT = new Date('2024-02-29T23:59:58.123Z');

  test('TIMESTAMP WITH TIME ZONE is an instant', async () => {
    const bind = { val: INSTANT, type: oracledb.DB_TYPE_TIMESTAMP_TZ };
    expect(await store('at_zone', bind)).toEqual(INSTANT);
    const sql = `SELECT TO_CHAR(:v, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') FROM dual`;
    expect(await firstValue(connection, sql, { v: bind })).toBe('2024-02-29T23:59:58.123+00:00');
  });

  test('DATE and TIMESTAMP are the time of a clock', async () => {
    const local = new Date(2024, 1, 29, 23, 59, 58, 123);
    const whole = new Date(2024, 1, 29, 23, 59, 58);
    expect(await store('at', { val: local, type: oracledb.DB_TYPE_TIMESTAMP })).toEqual(local);
    expect(await store('at', { val: whole, type: oracledb.DB_TYPE_TIMESTAMP })).toEqual(whole);
    expect(await store('day', { val: whole, type: oracledb.DB_TYPE_DATE })).toEqual(whole);
    const sql = `SELECT TO_CHAR(:v, 'YYYY-MM-DD HH24:MI:SS') FROM dual`;
    const bind = { val: whole, type: oracledb.DB_TYPE_DATE };
    expect(await firstValue(connection, sql, { v: bind })).toBe('2024-02-29 23:59:58');
  });

  test('years at both ends', async () => {
    for (const text of ['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      const bind = { val: new Date(text), type: oracledb.DB_TYPE_TIMESTAMP_TZ };
      expect(await store('at_zone', bind)).toEqual(new Date(text));
    }
  });
});

describe('vectors', () => {
  test('Float32Array, Float64Array and Int8Array', async () => {
    const values = Float32Array.of(0.1, -2.5, 1e-7);
    const bind = { val: values, type: oracledb.DB_TYPE_VECTOR };
    expect(await store('embedding', bind)).toEqual(values);
    expect(await store('any_vector', bind)).toEqual(values);
    for (const other of [Float64Array.of(1, 2.5, -3), Int8Array.of(1, -128, 127)]) {
      const stored = await store('embedding', { val: other, type: oracledb.DB_TYPE_VECTOR });
      expect(stored).toEqual(Float32Array.from(other));
    }
  });

  test('1,536 dimensions are exact, in a block too', async () => {
    const vector = Float32Array.from({ length: 1536 }, (_, index) => Math.sin(index) / 3);
    const bind = { val: vector, type: oracledb.DB_TYPE_VECTOR };
    await connection.execute('BEGIN INSERT INTO kinds (id, any_vector) VALUES (3, :v); END;', { v: bind });
    const sql = 'SELECT any_vector, VECTOR_DISTANCE(any_vector, :v, EUCLIDEAN) FROM kinds WHERE id = 3';
    expect(await rowsOf(connection, sql, { v: bind })).toEqual([[vector, 0]]);
    await connection.rollback();
  });

  test('as text', async () => {
    const options = { fetchTypeHandler: () => ({ type: oracledb.STRING }) };
    const bind = { val: Float32Array.of(1, 2.5, 3), type: oracledb.DB_TYPE_VECTOR };
    expect(await store('embedding', bind, options)).toBe('[1,2.5,3]');
  });

  test('a wrong dimension count and a sparse vector are refused', async () => {
    const short = { val: Float32Array.of(1, 2), type: oracledb.DB_TYPE_VECTOR };
    expect((await driverError(store('embedding', short))).number).toBe(51803);
    const sparse = new oracledb.SparseVector({ values: [1], indices: [1], numDimensions: 3 });
    const bind = { val: sparse, type: oracledb.DB_TYPE_VECTOR };
    expect((await driverError(store('embedding', bind))).number).toBe(3001);
  });
});

describe('other types', () => {
  test.each<[string, oracledb.DbType, unknown]>([
    ['BOOLEAN', oracledb.DB_TYPE_BOOLEAN, false],
    ['TIMESTAMP WITH TIME ZONE', oracledb.DB_TYPE_TIMESTAMP_TZ, new Date('2024-02-29T01:02:03.004Z')],
    ['TIMESTAMP', oracledb.DB_TYPE_TIMESTAMP, new Date(2024, 1, 29, 1, 2, 3, 4)],
    ['TIMESTAMP WITH LOCAL TIME ZONE', oracledb.DB_TYPE_TIMESTAMP_LTZ, new Date('2024-02-29T01:02:03.004Z')],
    ['DATE', oracledb.DB_TYPE_DATE, new Date(2024, 1, 29, 1, 2, 3)],
    ['RAW', oracledb.DB_TYPE_RAW, Buffer.from([0, 1, 255])],
    ['BINARY_DOUBLE', oracledb.DB_TYPE_BINARY_DOUBLE, -1.25],
    ['BINARY_FLOAT', oracledb.DB_TYPE_BINARY_FLOAT, 1.25],
    ['BINARY_INTEGER', oracledb.DB_TYPE_BINARY_INTEGER, -5],
    ['VECTOR', oracledb.DB_TYPE_VECTOR, Float32Array.of(1, 2.5)],
    ['JSON', oracledb.DB_TYPE_JSON, { a: [1, { b: null }] }],
    ['CHAR', oracledb.DB_TYPE_CHAR, 'é'],
    ['NVARCHAR2', oracledb.DB_TYPE_NVARCHAR, 'é\u{1F600}'],
  ])('%s comes back from a query and from a block', async (_name, type, value) => {
    expect(await echo(value, type)).toEqual([value, value]);
  });

  test('BOOLEAN', async () => {
    for (const value of [true, false]) {
      expect(await store('flag', { val: value, type: oracledb.DB_TYPE_BOOLEAN })).toBe(value);
    }
    expect(await echo(true, oracledb.DB_TYPE_BOOLEAN)).toEqual([true, true]);
  });

  test('JSON as values, and as text', async () => {
    const names = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`name ${index}`, index]));
    const numbers = [0, -1, 1.5, 1e20, 0.1 + 0.2, 2 ** 53];
    const texts = ['', 'é\u{1F600}', 'x'.repeat(300), 'y'.repeat(70_000), '"\\\n'];
    for (const value of [
      { a: 1, b: { a: [true, false, null, { c: [] }] }, é: {} },
      [],
      {},
      'text',
      17,
      true,
      names,
      [numbers, texts, Array.from({ length: 300 }, (_, index) => ({ index }))],
    ]) {
      const bind = { val: value, type: oracledb.DB_TYPE_JSON };
      expect(await store('document', bind)).toEqual(value);
      const text = await store('document', bind, { fetchTypeHandler: () => ({ type: oracledb.STRING }) });
      expect(JSON.parse(String(text))).toEqual(value);
    }
    const dated = { val: { at: new Date() }, type: oracledb.DB_TYPE_JSON };
    expect((await driverError(store('document', dated))).number).toBe(3001);
  });

  test('NULL of every type', async () => {
    const types = {
      amount: oracledb.NUMBER,
      name: oracledb.STRING,
      body: oracledb.CLOB,
      bytes: oracledb.BUFFER,
      picture: oracledb.BLOB,
      at: oracledb.DB_TYPE_TIMESTAMP,
      at_zone: oracledb.DB_TYPE_TIMESTAMP_TZ,
      day: oracledb.DB_TYPE_DATE,
      ratio: oracledb.DB_TYPE_BINARY_DOUBLE,
      flag: oracledb.DB_TYPE_BOOLEAN,
      embedding: oracledb.DB_TYPE_VECTOR,
    };
    for (const [column, type] of Object.entries(types)) {
      expect([column, await store(column, { val: null, type })]).toEqual([column, null]);
    }
    const out = { dir: oracledb.BIND_OUT, type: oracledb.DB_TYPE_BOOLEAN };
    const { outBinds } = await connection.execute<{ o: unknown }>('BEGIN :o := NULL; END;', { o: out });
    expect(outBinds?.o).toBeNull();
  });
});
