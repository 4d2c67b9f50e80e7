import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { addNote, errorOf, startNotesEngine, titles } from './engine-fixture.ts';

const IDLE_MILLISECONDS = 50;

let engine: OracleEngine;
let session: OracleSession;
let other: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine({ idleTransactionMilliseconds: IDLE_MILLISECONDS });
});
afterAll(() => engine.close());

beforeEach(() => {
  session = engine.openSession();
  other = engine.openSession();
});
afterEach(async () => {
  await session.close();
  await other.execute('DELETE FROM notes WHERE note_id > 1', []);
  await other.commit();
  await other.close();
});

describe('a transaction', () => {
  test('keeps what came before a failed statement', async () => {
    await session.execute(addNote(2, 'second'), []);
    expect((await errorOf(session.execute(addNote(2, 'again'), []))).number).toBe(1);
    await session.execute(addNote(3, 'third'), []);
    await session.commit();
    expect(await titles(other)).toEqual(['first', 'second', 'third']);
  });

  test('undoes all rows of a statement that fails at one', async () => {
    await session.execute(addNote(2, 'second'), []);
    const copy = 'INSERT INTO notes (note_id, title) SELECT n.note_id + 1, n.title FROM notes n';
    expect((await errorOf(session.execute(copy, []))).number).toBe(1);
    expect(await titles(session)).toEqual(['first', 'second']);
  });

  test('survives a failed query', async () => {
    await session.execute(addNote(2, 'second'), []);
    const zero = 'SELECT 1 / (n.note_id - 1) AS x FROM notes n';
    expect((await errorOf(session.execute(zero, []))).number).toBe(1476);
    await session.commit();
    expect(await titles(other)).toEqual(['first', 'second']);
  });

  test('does not find its own new rows by their words before the commit', async () => {
    await session.execute(
      "CREATE INDEX notes_text ON notes (title) INDEXTYPE IS CTXSYS.CONTEXT PARAMETERS ('SYNC (ON COMMIT)')",
      [],
    );
    const found = async () => {
      const query = "SELECT n.note_id FROM notes n WHERE CONTAINS(n.title, '{first}') > 0 ORDER BY n.note_id";
      return (await session.execute(query, [])).rows.map(([id]) => Number(id));
    };
    expect(await found()).toEqual([1]);
    await session.execute(addNote(2, 'first too'), []);
    expect((await errorOf(session.execute(addNote(2, 'again'), []))).number).toBe(1);
    await session.execute(addNote(3, 'first also'), []);
    expect(await found()).toEqual([1]);
    await session.commit();
    expect(await found()).toEqual([1, 2, 3]);
    await session.execute('DROP INDEX notes_text', []);
  });

  test('ends with rollback', async () => {
    await session.execute(addNote(2, 'second'), []);
    await session.rollback();
    expect(await titles(session)).toEqual(['first']);
  });

  test('is rolled back when its session is closed', async () => {
    await session.execute(addNote(2, 'second'), []);
    await session.close();
    expect(await titles(other)).toEqual(['first']);
  });

  test('ends with COMMIT and ROLLBACK as statements', async () => {
    await session.execute(addNote(2, 'second'), []);
    expect((await session.execute('COMMIT', [])).kind).toBe('commit');
    await session.execute(addNote(3, 'third'), []);
    expect((await session.execute('ROLLBACK', [])).kind).toBe('rollback');
    expect(await titles(other)).toEqual(['first', 'second']);
  });

  test('is committed by DDL, also by DDL that fails', async () => {
    await session.execute(addNote(2, 'second'), []);
    const duplicate = 'CREATE UNIQUE INDEX notes_written_ix ON notes (written_at)';
    await session.execute(duplicate, []);
    await session.rollback();
    expect(await titles(session)).toEqual(['first', 'second']);
    await session.execute('DROP INDEX notes_written_ix', []);
    await session.execute("INSERT INTO notes (note_id, title) VALUES (3, 'second')", []);
    const failing = 'CREATE UNIQUE INDEX notes_title_ix ON notes (title)';
    await errorOf(session.execute(failing, []));
    await session.rollback();
    expect(await titles(session)).toEqual(['first', 'second', 'second']);
  });
});

test('DDL on an object that exists commits too, a text that is no statement does not', async () => {
  await session.execute(addNote(2, 'second'), []);
  expect((await errorOf(session.execute('CREATE TABLE', []))).number).not.toBe(955);
  await session.rollback();
  expect(await titles(session)).toEqual(['first']);
  await session.execute(addNote(2, 'second'), []);
  expect((await errorOf(session.execute('CREATE TABLE notes (id NUMBER)', []))).number).toBe(955);
  await session.rollback();
  expect(await titles(session)).toEqual(['first', 'second']);
});

describe('two sessions', () => {
  test('wait for each other while a transaction is open', async () => {
    const events: string[] = [];
    await session.execute(addNote(2, 'second'), []);
    const reading = titles(other).then((seen) => events.push(`read ${seen.length}`));
    await session.execute(addNote(3, 'third'), []);
    events.push('commit');
    await session.commit();
    await reading;
    expect(events).toEqual(['commit', 'read 3']);
  });

  test('do not wait for a session that only reads', async () => {
    await titles(session);
    expect(await titles(other)).toEqual(['first']);
  });

  test('wait for rows that are locked', async () => {
    const events: string[] = [];
    await session.execute('SELECT n.title FROM notes n FOR UPDATE', []);
    const reading = titles(other).then(() => events.push('read'));
    await titles(session);
    events.push('commit');
    await session.commit();
    await reading;
    expect(events).toEqual(['commit', 'read']);
  });
});

describe('a session that idles inside a transaction', () => {
  test('is rolled back, told so once, and then gone', async () => {
    await session.execute(addNote(2, 'second'), []);
    expect(await titles(other)).toEqual(['first']);
    expect((await errorOf(session.execute('COMMIT', []))).number).toBe(2396);
    expect((await errorOf(session.commit())).number).toBe(1012);
  });

  test('may idle without a transaction', async () => {
    await session.execute(addNote(2, 'second'), []);
    await session.commit();
    const third = engine.openSession();
    await third.execute(addNote(3, 'third'), []);
    expect(await titles(session)).toEqual(['first', 'second']);
  });
});
