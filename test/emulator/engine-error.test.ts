import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { errorOf, startNotesEngine } from './engine-fixture.ts';

let engine: OracleEngine;
let session: OracleSession;

beforeAll(async () => {
  engine = await startNotesEngine();
  session = engine.openSession();
});
afterAll(() => engine.close());

test.each([
  [
    "INSERT INTO notes (note_id, title) VALUES (1, 'x')",
    /^ORA-00001: unique constraint \(\w+\.NOTES_PK\) violated/,
  ],
  [
    "INSERT INTO notes (note_id, title) VALUES (5, '')",
    /^ORA-01400: cannot insert NULL into \("\w+"\."NOTES"\."TITLE"\)/,
  ],
  ['UPDATE notes SET title = NULL', /^ORA-01407: cannot update \("\w+"\."NOTES"\."TITLE"\) to NULL/],
  ['UPDATE notes SET rating = -1', /^ORA-02290: check constraint \(\w+\.NOTES_RATING_CK\) violated/],
  [
    "INSERT INTO note_tags (note_id, tag) VALUES (9, 'x')",
    /^ORA-02291: integrity constraint \(\w+\.NOTE_TAGS_FK\) violated - parent key not found/,
  ],
  [
    "UPDATE notes SET title = 'longer than ten'",
    /^ORA-12899: value too large for column .*"TITLE".*actual: 15, maximum: 10/,
  ],
  ['UPDATE notes SET rating = 1000', /^ORA-01438: /],
  ['SELECT x.note_id FROM unknown_notes x', /^ORA-00942: /],
  ['SELECT n.unknown_column FROM notes n', /^ORA-00904: "N"\."UNKNOWN_COLUMN": invalid identifier/],
  ['SELECT 1 / 0 AS x FROM dual', /^ORA-01476: /],
  ["SELECT TO_NUMBER('abc') AS x FROM dual", /^ORA-01722: /],
  ['DROP TABLE unknown_notes', /^ORA-00942: /],
  ['CREATE TABLE notes (id NUMBER)', /^ORA-00955: /],
])('%s', async (text, expected) => {
  expect((await errorOf(session.execute(text, []))).message).toMatch(expected);
});

test('a parent row that is in use', async () => {
  await session.execute("INSERT INTO note_tags (note_id, tag) VALUES (1, 'x')", []);
  const error = await errorOf(session.execute('DELETE FROM notes', []));
  expect(error.message).toMatch(
    /^ORA-02292: integrity constraint \(\w+\.NOTE_TAGS_FK\) violated - child record found/,
  );
  await session.rollback();
});

test('a unique index over rows that are not unique', async () => {
  await session.execute("INSERT INTO notes (note_id, title) VALUES (2, 'first')", []);
  const index = 'CREATE UNIQUE INDEX notes_title_ix ON notes (title)';
  expect((await errorOf(session.execute(index, []))).message).toMatch(/^ORA-01452: /);
  await session.execute('DELETE FROM notes WHERE note_id = 2', []);
  await session.commit();
});

test.each([
  ['ALTER TABLE notes ADD CONSTRAINT notes_title_uk UNIQUE (title)', /^ORA-02299: .*NOTES_TITLE_UK/],
  ['ALTER TABLE notes ADD CONSTRAINT notes_late_ck CHECK (note_id > 5)', /^ORA-02293: .*NOTES_LATE_CK/],
  ['ALTER TABLE notes ADD (owner_id NUMBER NOT NULL)', /^ORA-01758: /],
])('rows that contradict %s', async (text, expected) => {
  await session.execute("INSERT INTO notes (note_id, title) VALUES (2, 'first')", []);
  expect((await errorOf(session.execute(text, []))).message).toMatch(expected);
  await session.execute('DELETE FROM notes WHERE note_id = 2', []);
  await session.commit();
});

test('the error keeps its cause', async () => {
  const error = await errorOf(session.execute("INSERT INTO notes (note_id, title) VALUES (1, 'x')", []));
  expect(error.cause).toMatchObject({ name: 'PostgresError', sqlState: '23505' });
});
