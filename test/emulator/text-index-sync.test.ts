import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OracleEngine, OracleSession } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { errorOf, startNotesEngine } from './engine-fixture.ts';

const sync = "BEGIN CTX_DDL.SYNC_INDEX('NOTES_BODY'); END;";

describe('when a text index knows what was written (Oracle Text Reference, SYNC)', () => {
  let engine: OracleEngine;
  let session: OracleSession;
  let other: OracleSession;
  beforeEach(async () => {
    engine = await startNotesEngine();
    session = engine.openSession();
    other = engine.openSession();
    await run("UPDATE notes n SET n.body = 'an old oak' WHERE n.note_id = 1");
    await session.commit();
  });
  afterEach(() => engine?.close());

  const run = (sql: string) => session.execute(sql, []);
  const index = (parameters: string) =>
    run(`CREATE INDEX notes_body ON notes (body) INDEXTYPE IS CTXSYS.CONTEXT ${parameters}`);
  const found = async (word: string, by: OracleSession = session) => {
    const query = `SELECT n.note_id FROM notes n WHERE CONTAINS(n.body, '{${word}}') > 0 ORDER BY n.note_id`;
    return (await by.execute(query, [])).rows.map(([id]) => Number(id));
  };

  it.each([
    ['MANUAL', "PARAMETERS ('MAINTENANCE MANUAL SYNC (MANUAL)')"],
    ['AUTO', "PARAMETERS ('LEXER my_lexer STOPLIST CTXSYS.EMPTY_STOPLIST MAINTENANCE AUTO')"],
    ['nothing said, which is AUTO', ''],
  ])('%s: new text is found after SYNC_INDEX, old text until it changes', async (_mode, parameters) => {
    await index(parameters);
    expect(await found('oak')).toEqual([1]);
    await run("INSERT INTO notes (note_id, title, body) VALUES (2, 'second', 'a young oak')");
    await session.commit();
    expect(await found('oak')).toEqual([1]);
    await run("UPDATE notes n SET n.body = 'an old elm' WHERE n.note_id = 1");
    await session.commit();
    expect([await found('oak'), await found('elm')]).toEqual([[], []]);
    await run(sync);
    expect([await found('oak'), await found('elm'), await found('oak', other)]).toEqual([[2], [1], [2]]);
  });

  it('ON COMMIT: at the commit, and not in the transaction before it', async () => {
    await index("PARAMETERS ('SYNC (ON COMMIT)')");
    await run("UPDATE notes n SET n.body = 'an old elm' WHERE n.note_id = 1");
    expect([await found('oak'), await found('elm')]).toEqual([[], []]);
    await session.rollback();
    expect(await found('oak')).toEqual([1]);
    await run("UPDATE notes n SET n.body = 'an old elm' WHERE n.note_id = 1");
    await session.commit();
    expect([await found('oak'), await found('elm')]).toEqual([[], [1]]);
  });

  it.each(['SYNC (ON COMMIT)', 'MAINTENANCE MANUAL'])(
    '%s: a change of other columns does not touch the entry, the same text written again does',
    async (parameters) => {
      await index(`PARAMETERS ('${parameters}')`);
      await run("UPDATE notes n SET n.title = 'changed' WHERE n.note_id = 1");
      expect(await found('oak')).toEqual([1]);
      await run('UPDATE notes n SET n.body = n.body WHERE n.note_id = 1');
      expect(await found('oak')).toEqual([]);
    },
  );

  it('follows MERGE and a renamed column', async () => {
    await index("PARAMETERS ('MAINTENANCE MANUAL')");
    await run(`MERGE INTO notes n USING (SELECT 1 AS id, 'an elm' AS words FROM dual UNION ALL SELECT 2, 'an ash' FROM dual) s
ON (n.note_id = s.id)
WHEN MATCHED THEN UPDATE SET n.body = s.words
WHEN NOT MATCHED THEN INSERT (note_id, title, body) VALUES (s.id, 'merged', s.words)`);
    await session.commit();
    expect([await found('elm'), await found('ash')]).toEqual([[], []]);
    await run(sync);
    expect([await found('elm'), await found('ash')]).toEqual([[1], [2]]);
    await run('ALTER TABLE notes RENAME COLUMN body TO words');
    await run("UPDATE notes n SET n.words = 'a yew' WHERE n.note_id = 1");
    await session.commit();
    const yew = "SELECT n.note_id FROM notes n WHERE CONTAINS(n.words, '{yew}') > 0";
    expect((await run(yew)).rows).toEqual([]);
    await run(sync);
    expect((await run(yew)).rows).toEqual([[1]]);
    await run('DROP INDEX notes_body');
    await run('ALTER TABLE notes DROP COLUMN words');
  });

  it('forgets deleted rows at once', async () => {
    await index("PARAMETERS ('MAINTENANCE MANUAL')");
    await run('DELETE FROM notes n WHERE n.note_id = 1');
    expect(await found('oak')).toEqual([]);
    await session.commit();
    expect(await found('oak', other)).toEqual([]);
  });

  it('SYNC_INDEX commits, OPTIMIZE_INDEX syncs nothing', async () => {
    await index("PARAMETERS ('MAINTENANCE MANUAL')");
    await run("INSERT INTO notes (note_id, title, body) VALUES (2, 'second', 'a young oak')");
    await run("BEGIN CTX_DDL.OPTIMIZE_INDEX('NOTES_BODY', 'FULL'); END;");
    await session.rollback();
    await run("INSERT INTO notes (note_id, title, body) VALUES (3, 'third', 'a young oak')");
    await run(sync);
    await session.rollback();
    expect(await found('oak', other)).toEqual([1, 3]);
  });

  it('an index that is built again knows all rows', async () => {
    await index("PARAMETERS ('MAINTENANCE MANUAL')");
    await run("INSERT INTO notes (note_id, title, body) VALUES (2, 'second', 'a young oak')");
    await run('DROP INDEX notes_body');
    await index("PARAMETERS ('MAINTENANCE MANUAL')");
    expect(await found('oak')).toEqual([1, 2]);
  });

  it.each([
    'SYNC (EVERY "SYSDATE+1")',
    'MAINTENANCE AUTO SYNC (ON COMMIT)',
    'STOPLIST my_stops',
    'TRANSACTIONAL',
    'SYNC',
  ])('refuses PARAMETERS (%s), which would change answers', async (parameters) => {
    expect((await errorOf(index(`PARAMETERS ('${parameters}')`))).number).toBe(3001);
  });
});
