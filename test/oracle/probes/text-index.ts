import { NotAsked, type RawDatabase, rawText } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';

const MAXIMUM_LOOKS = 50;
const PAUSE_MILLISECONDS = 200;

async function isFound(database: RawDatabase, table: string, word: string): Promise<boolean> {
  const { rows } = await database.ask({
    sql: `SELECT t.id AS id FROM ${table} t WHERE CONTAINS(t.content, :words) > 0`,
    binds: { words: rawText(`{${word}}`) },
  });
  return rows.length > 0;
}

async function write({ database, name }: ProbeDesk, word: string): Promise<string> {
  const table = name('WORD');
  await database.ask({
    sql: `BEGIN\n  INSERT INTO ${table} (id, content, counter) VALUES (:id, :content, 0);\nEND;`,
    binds: { id: rawText(word), content: rawText(`a text with the word ${word} in it`) },
  });
  return table;
}

async function requireFound(database: RawDatabase, table: string, word: string): Promise<void> {
  if (!(await isFound(database, table, word))) throw new NotAsked('the row was not found in the first place');
}

async function judgeInsert(desk: ProbeDesk): Promise<Judgement> {
  const table = await write(desk, 'inserted');
  const found = await isFound(desk.database, table, 'inserted');
  return { holds: found, answer: found ? 'found by the next request' : 'not found by the next request' };
}

async function judgeUpdate(desk: ProbeDesk): Promise<Judgement> {
  const table = await write(desk, 'updated');
  await requireFound(desk.database, table, 'updated');
  await desk.database.ask({
    sql: `BEGIN\n  UPDATE ${table} SET counter = counter + 1 WHERE id = 'updated';\nEND;`,
  });
  const after = await isFound(desk.database, table, 'updated');
  return {
    holds: after,
    answer: `found before; after the update of another column: ${after ? 'found' : 'not found'}`,
  };
}

async function judgeDelete(desk: ProbeDesk): Promise<Judgement> {
  const table = await write(desk, 'deleted');
  await requireFound(desk.database, table, 'deleted');
  await desk.database.ask({ sql: `BEGIN\n  DELETE FROM ${table} WHERE id = 'deleted';\nEND;` });
  const after = await isFound(desk.database, table, 'deleted');
  return { holds: !after, answer: `found before; after the delete: ${after ? 'found' : 'not found'}` };
}

async function tellLatency(desk: ProbeDesk): Promise<string> {
  const started = performance.now();
  const table = await write(desk, 'measured');
  const written = Math.round(performance.now() - started);
  for (let look = 1; look <= MAXIMUM_LOOKS; look += 1) {
    if (await isFound(desk.database, table, 'measured')) {
      const milliseconds = Math.round(performance.now() - started);
      return `the write took ${written} ms; found by look ${look}, ${milliseconds} ms after it began`;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
  }
  return `not found in ${MAXIMUM_LOOKS} looks`;
}

/** Question 12. */
export const TEXT_INDEX: Probe = {
  number: 12,
  question:
    'When does the text index know a row with SYNC (ON COMMIT), and does an update of another column lose it?',
  async prepare({ database, name }) {
    const table = name('WORD');
    await database.ask({
      sql: `CREATE TABLE ${table} (id VARCHAR2(20 CHAR) CONSTRAINT ${table}_PK PRIMARY KEY, content CLOB, counter NUMBER(3))`,
    });
    await database.ask({
      sql: `CREATE INDEX ${name('WORD_IX')} ON ${table} (content)
  INDEXTYPE IS CTXSYS.CONTEXT
  PARAMETERS ('STOPLIST CTXSYS.EMPTY_STOPLIST SYNC (ON COMMIT)')`,
    });
  },
  points: [
    {
      asks: 'a row after its insert',
      assumes: 'the next request finds it',
      place: 'infra/sql/text_index.sql: CTXSYS.CONTEXT',
      judge: judgeInsert,
    },
    {
      asks: 'a row after an update of a column that is not indexed',
      assumes: 'the next request finds it',
      place: 'lib/store/records/retrieval-update.ts: UPDATE',
      judge: judgeUpdate,
    },
    {
      asks: 'a row after its delete',
      assumes: 'the next request does not find it',
      place: 'lib/store/search/search-by-words.ts: compareByWords',
      judge: judgeDelete,
    },
    { asks: 'how long it takes until a row is found', tell: tellLatency },
  ],
};
