import { expect } from 'vitest';
import { text } from '../../lib/sql/bind.ts';
import { oracleErrorOf } from '../../lib/sql/oracle-database-error.ts';
import {
  addMany,
  addNote,
  CREATE_NOTE,
  MAXIMUM_ROWS,
  NOTE_TABLE,
  readAllNotes,
  type TransportCase,
} from './transport-note.ts';

/** Limits, shapes and errors of single statements. */
export const QUERY_CASES: Readonly<Record<string, TransportCase>> = {
  'as many rows as the limit pass, one more is an error': async (transport) => {
    expect(transport.capabilities.maxRows).toBe(MAXIMUM_ROWS);
    await transport.executeAtomic(addMany(MAXIMUM_ROWS));
    expect(await readAllNotes(transport)).toHaveLength(MAXIMUM_ROWS);
    await transport.executeAtomic(addNote());
    await expect(readAllNotes(transport)).rejects.toMatchObject({ code: 'internal' });
  },
  'no rows are an empty list': async (transport) => {
    expect(await readAllNotes(transport)).toEqual([]);
  },
  'other columns than declared are an error, also without rows': async (transport) => {
    const shape = { note_id: 'text', amount: 'number' } as const;
    const sql = `SELECT n.note_id AS note_id, n.amount AS total FROM ${NOTE_TABLE} n`;
    const query = { name: 'conformance.wrong', sql, binds: {}, shape };
    await expect(transport.query(query)).rejects.toMatchObject({ code: 'internal' });
  },
  'one bind may stand in several places': async (transport) => {
    await transport.executeAtomic(addNote({ label: 'n1' }));
    const sql = `SELECT n.note_id AS note_id FROM ${NOTE_TABLE} n WHERE n.note_id = :id AND n.label = :id`;
    const query = {
      name: 'conformance.twice',
      sql,
      binds: { id: text('n1') },
      shape: { note_id: 'text' },
    } as const;
    expect(await transport.query(query)).toEqual([{ note_id: 'n1' }]);
  },
  'a table that does not exist says how to install': async (transport) => {
    const sql = 'SELECT 1 AS one FROM conformance_missing';
    const query = { name: 'conformance.missing', sql, binds: {}, shape: { one: 'number' } } as const;
    const error: unknown = await transport.query(query).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'unavailable', message: expect.stringContaining('npm run schema') });
    expect(oracleErrorOf(error)?.number).toBe(942);
  },
  'creating a table twice is told by its number': async (transport) => {
    const error: unknown = await transport.executeDdl(CREATE_NOTE).catch((reason) => reason);
    expect(oracleErrorOf(error)?.number).toBe(955);
  },
};
