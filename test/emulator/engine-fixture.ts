import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import type {
  EngineBind,
  OracleEngine,
  OracleEngineOptions,
  OracleSession,
  OracleValue,
} from '../../infra/local/oracle/engine/oracle-engine.ts';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import type { OracleType } from '../../infra/local/oracle/sql/oracle-type.ts';
import { emulatorSnapshot } from '../emulator-snapshot.ts';

export const TEXT: OracleType = { kind: 'VARCHAR2', length: 4000, unit: 'BYTE' };
export const NUMBER: OracleType = { kind: 'NUMBER' };

const SCHEMA = [
  `CREATE TABLE notes (
     note_id NUMBER(6) CONSTRAINT notes_pk PRIMARY KEY,
     title VARCHAR2(10 CHAR) NOT NULL,
     body CLOB,
     rating NUMBER(3,1) CONSTRAINT notes_rating_ck CHECK (rating >= 0),
     written_at TIMESTAMP(6) WITH TIME ZONE)`,
  `CREATE TABLE note_tags (
     note_id NUMBER(6) NOT NULL CONSTRAINT note_tags_fk REFERENCES notes (note_id),
     tag VARCHAR2(10 CHAR) NOT NULL,
     CONSTRAINT note_tags_pk PRIMARY KEY (note_id, tag))`,
];

/** An engine with the tables NOTES (one row: 1, first) and NOTE_TAGS. */
export async function startNotesEngine(options: OracleEngineOptions = {}): Promise<OracleEngine> {
  const rows = ["INSERT INTO notes (note_id, title) VALUES (1, 'first')"];
  return createOracleEngine({ snapshot: await emulatorSnapshot([...SCHEMA, ...rows]), ...options });
}

export const input = (name: string, type: OracleType, value: OracleValue): EngineBind => ({
  name,
  type,
  direction: 'in',
  value,
});
export const output = (name: string, type: OracleType): EngineBind => ({ name, type, direction: 'out' });

/** The error that a statement raises. */
export async function errorOf(work: Promise<unknown>): Promise<OracleError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OracleError) {
      return error;
    }
    throw error;
  }
  throw new Error('the statement succeeded');
}

/** Titles of all notes that a session sees. */
export async function titles(session: OracleSession): Promise<readonly OracleValue[]> {
  const { rows } = await session.execute('SELECT n.title FROM notes n ORDER BY n.note_id', []);
  return rows.map((row) => row[0] ?? null);
}

export const addNote = (id: number, title: string): string =>
  `INSERT INTO notes (note_id, title) VALUES (${id}, '${title}')`;
