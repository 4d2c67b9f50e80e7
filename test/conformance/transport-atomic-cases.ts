import { expect } from 'vitest';
import { text } from '../../lib/sql/bind.ts';
import { oracleErrorOf } from '../../lib/sql/oracle-database-error.ts';
import {
  addMany,
  addNote,
  addThen,
  countNotes,
  NOTE_TABLE,
  readAllNotes,
  readNote,
  type TransportCase,
} from './transport-note.ts';

/** A list of statements happens as a whole or not at all. */
export const ATOMIC_CASES: Readonly<Record<string, TransportCase>> = {
  '1,000 rows of one JSON bind are one list with one time': async (transport) => {
    expect(await transport.executeAtomic(addMany(1000))).toEqual({ notes: 1000, updated: 1000 });
    const notes = await readAllNotes(transport);
    expect(notes).toHaveLength(1000);
    expect(new Set(notes.map((note) => note.seen_at)).size).toBe(1);
    expect(notes[999]).toMatchObject({ note_id: 'n00999', label: 'label 999', amount: 1000, flagged: true });
  },
  'a missed expectation undoes the whole list': async (transport) => {
    for (const [otherwise, message] of [
      ['not_found', "the note's owner was not found"],
      ['conflict', 'the note was changed'],
    ] as const) {
      const sql = `UPDATE ${NOTE_TABLE} SET amount = 1 WHERE note_id = :other`;
      const list = addThen(
        { name: 'other', sql, expect: { rows: 1, otherwise, message } },
        { other: text('no') },
      );
      await expect(transport.executeAtomic(list)).rejects.toMatchObject({ code: otherwise, message });
      expect(await countNotes(transport)).toBe(0);
    }
  },
  'a met expectation lets the list pass': async (transport) => {
    const sql = `UPDATE ${NOTE_TABLE} SET amount = 1 WHERE note_id = :note_id`;
    const expectation = { rows: 1, otherwise: 'not_found', message: 'not found' } as const;
    const counts = await transport.executeAtomic(addThen({ name: 'other', sql, expect: expectation }));
    expect(counts).toEqual({ note: 1, other: 1 });
    expect((await readNote(transport, 'n1'))?.amount).toBe(1);
  },
  'a duplicate key is a conflict that names its constraint and undoes the list': async (transport) => {
    await transport.executeAtomic(addNote({ note_id: 'n2' }));
    const sql = `INSERT INTO ${NOTE_TABLE} (note_id) VALUES ('n2')`;
    const error: unknown = await transport
      .executeAtomic(addThen({ name: 'again', sql }))
      .catch((reason) => reason);
    expect(error).toMatchObject({ code: 'conflict', message: expect.stringContaining('already exists') });
    expect(oracleErrorOf(error)).toMatchObject({ number: 1, constraint: `${NOTE_TABLE}_pk`.toUpperCase() });
    expect(await countNotes(transport)).toBe(1);
  },
  'an error in the middle undoes what came before': async (transport) => {
    const list = addThen({ name: 'null', sql: `UPDATE ${NOTE_TABLE} SET note_id = NULL` });
    const last = { name: 'last', sql: `INSERT INTO ${NOTE_TABLE} (note_id) VALUES ('n3')` };
    const outcome = transport.executeAtomic({ ...list, statements: [...list.statements, last] });
    await expect(outcome).rejects.toMatchObject({ code: 'internal' });
    expect(await countNotes(transport)).toBe(0);
  },
  'a value that is too long is the request’s fault': async (transport) => {
    const outcome = transport.executeAtomic(addNote({ label: 'x'.repeat(201) }));
    await expect(outcome).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await countNotes(transport)).toBe(0);
  },
  'rows affected may be none': async (transport) => {
    const statements = [{ name: 'gone', sql: `DELETE FROM ${NOTE_TABLE} WHERE note_id = :note_id` }];
    const list = { name: 'conformance.delete', binds: { note_id: text('no') }, statements };
    expect(await transport.executeAtomic(list)).toEqual({ gone: 0 });
  },
  'a call that is aborted before it starts leaves nothing behind': async (transport) => {
    const outcome = transport.executeAtomic(addNote(), { signal: AbortSignal.abort('stop') });
    await expect(outcome).rejects.toBe('stop');
    expect(await countNotes(transport)).toBe(0);
  },
  'a call that is aborted on its way writes all or nothing': async (transport) => {
    const controller = new AbortController();
    const second = { name: 'second', sql: `INSERT INTO ${NOTE_TABLE} (note_id) VALUES ('n2')` };
    const outcome = transport.executeAtomic(addThen(second), { signal: controller.signal });
    controller.abort('stop');
    await expect(outcome).rejects.toBe('stop');
    expect([0, 2]).toContain(await countNotes(transport));
    await transport.executeAtomic(addNote({ note_id: 'n9' }));
    expect(await readNote(transport, 'n9')).toMatchObject({ note_id: 'n9' });
  },
};
