import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { IMAGE_PACKAGES } from '../../infra/local/oracle/engine/base-image.ts';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import { openDatabase } from '../../infra/local/oracle/engine/open-database.ts';
import { errorOf, startNotesEngine } from './engine-fixture.ts';

test('images are tied to the installed versions of PGlite and pgvector', async () => {
  const manifest = JSON.parse(await readFile(join(import.meta.dirname, '../../package.json'), 'utf8'));
  const { devDependencies } = manifest;
  const pglite = devDependencies['@electric-sql/pglite'];
  const pgvector = devDependencies['@electric-sql/pglite-pgvector'];
  expect(IMAGE_PACKAGES).toBe(`pglite-${pglite} pglite-pgvector-${pgvector}`);
});

test('a directory of another version gets the functions of this one', async () => {
  const dataDirectory = await mkdtemp(join(tmpdir(), 'oracle-emulator-'));
  const older = await openDatabase({ dataDirectory });
  await older.exec("DROP FUNCTION ora.raise(integer, text) CASCADE; COMMENT ON SCHEMA ora IS 'older'");
  await older.close();
  const engine = await createOracleEngine({ dataDirectory });
  const session = engine.openSession();
  await session.execute('CREATE TABLE short_names (name VARCHAR2(3 CHAR))', []);
  const error = await errorOf(session.execute("INSERT INTO short_names (name) VALUES ('long')", []));
  expect(error.number).toBe(12899);
  await engine.close();
  await rm(dataDirectory, { recursive: true });
});

test('a violation found at the commit undoes the transaction', async () => {
  const engine = await startNotesEngine();
  const session = engine.openSession();
  const table = `CREATE TABLE replies (reply_id NUMBER PRIMARY KEY, note_id NUMBER(6),
    CONSTRAINT replies_note_fk FOREIGN KEY (note_id) REFERENCES notes (note_id) DEFERRABLE INITIALLY DEFERRED)`;
  await session.execute(table, []);
  await session.execute('INSERT INTO replies (reply_id, note_id) VALUES (1, 77)', []);
  const error = await errorOf(session.commit());
  expect(error.message).toMatch(/^ORA-02091: transaction rolled back\nORA-02291: .*REPLIES_NOTE_FK/);
  const { rows } = await session.execute('SELECT COUNT(*) AS n FROM replies', []);
  expect(rows).toEqual([[0]]);
  await engine.close();
  await session.close();
});
