import { type Binds, clob, json, number, text } from '../../lib/sql/bind.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query, Row } from '../../lib/sql/statement.ts';

/**
 * The table that the transport cases write to. In a schema that holds other things, `CONFORMANCE_PREFIX` begins its name,
 * so that the cases drop nothing but their own.
 */
export const NOTE_TABLE = `${process.env.CONFORMANCE_PREFIX ?? ''}conformance_note`;

/** One thing that every transport must do, on an empty table `NOTE_TABLE`. */
export type TransportCase = (transport: SqlTransport) => Promise<void>;

/** Rows that the transport under test may return from one query. */
export const MAXIMUM_ROWS = 1000;

export const CREATE_NOTE = `CREATE TABLE ${NOTE_TABLE} (
  note_id VARCHAR2(128 CHAR) NOT NULL,
  content CLOB,
  label VARCHAR2(200 CHAR),
  amount NUMBER,
  data JSON,
  flagged NUMBER(1),
  seen_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT ${NOTE_TABLE}_pk PRIMARY KEY (note_id)
)`;

const SHAPE = {
  note_id: 'text',
  content: 'text',
  label: 'text',
  amount: 'number',
  data: 'json',
  flagged: 'boolean',
  seen_at: 'timestamp',
} as const;
type NoteShape = typeof SHAPE;
export type Note = Row<NoteShape>;

const SELECT_NOTE =
  'SELECT n.note_id AS note_id, n.content AS content, n.label AS label, n.amount AS amount, ' +
  'JSON_SERIALIZE(n.data RETURNING CLOB) AS data, n.flagged AS flagged, ' +
  `TO_CHAR(n.seen_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS seen_at FROM ${NOTE_TABLE} n`;

const noteQuery = (condition: string, binds: Binds): Query<NoteShape> => ({
  name: 'conformance.notes',
  sql: `${SELECT_NOTE} ${condition}`,
  binds,
  shape: SHAPE,
});

export async function readNote(transport: SqlTransport, noteId: string): Promise<Note | undefined> {
  const rows = await transport.query(noteQuery('WHERE n.note_id = :note_id', { note_id: text(noteId) }));
  return rows[0];
}

export function readAllNotes(transport: SqlTransport): Promise<readonly Note[]> {
  return transport.query(noteQuery('ORDER BY n.note_id', {}));
}

export async function countNotes(transport: SqlTransport): Promise<number | null | undefined> {
  const query = {
    name: 'conformance.count',
    sql: `SELECT COUNT(*) AS total FROM ${NOTE_TABLE}`,
    binds: {},
    shape: { total: 'number' },
  } as const;
  const rows = await transport.query(query);
  return rows[0]?.total;
}

/** A whole note; `seen_at` is ISO-8601 text. */
export const WHOLE_NOTE = {
  note_id: 'n1',
  content: 'text',
  label: 'a label',
  amount: 12,
  data: { k: [1, 'two', null, true, { deep: 'ü' }] },
  flagged: true,
  seen_at: '2026-02-03T04:05:06.789Z',
} as const satisfies Note;

export const INSERT_NOTE: DmlStatement = {
  name: 'note',
  sql:
    `INSERT INTO ${NOTE_TABLE} (note_id, content, label, amount, data, flagged, seen_at) ` +
    'VALUES (:note_id, :content, :label, :amount, JSON(:data), :flagged, ' +
    `TO_TIMESTAMP_TZ(:seen_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'))`,
};

export function noteBinds(note: Note): Binds {
  return {
    note_id: text(note.note_id),
    content: clob(note.content),
    label: text(note.label),
    amount: number(note.amount),
    data: clob(note.data === null ? null : JSON.stringify(note.data)),
    flagged: number(note.flagged === null ? null : Number(note.flagged)),
    seen_at: text(note.seen_at?.replace('Z', '+00:00') ?? null),
  };
}

export const addNote = (changes: Partial<Note> = {}): AtomicList => ({
  name: 'conformance.add',
  binds: noteBinds({ ...WHOLE_NOTE, ...changes }),
  statements: [INSERT_NOTE],
});

/** Two notes in one list; the second statement is given. */
export const addThen = (second: DmlStatement, binds: Binds = {}): AtomicList => ({
  ...addNote(),
  binds: { ...noteBinds(WHOLE_NOTE), ...binds },
  statements: [INSERT_NOTE, second],
});

const rowsOf = (count: number): object[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `n${String(index).padStart(5, '0')}`,
    label: `label ${index}`,
  }));

/** Adds this many notes from one JSON bind, `n00000` first. */
export const addMany = (count: number) => ({
  name: 'conformance.add_many',
  binds: { items: json(rowsOf(count)), total: number(count) },
  statements: [
    {
      name: 'notes',
      sql:
        `INSERT INTO ${NOTE_TABLE} (note_id, label, amount, seen_at) SELECT j.note_id, j.label, :total, :now ` +
        "FROM JSON_TABLE(:items, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (" +
        "note_id VARCHAR2(128 CHAR) PATH '$.id', label VARCHAR2(200 CHAR) PATH '$.label')) j",
    },
    {
      name: 'updated',
      sql: `UPDATE ${NOTE_TABLE} SET flagged = 1 WHERE seen_at = :now AND amount = :total`,
    },
  ],
});
