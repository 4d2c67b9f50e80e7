import { isDeepStrictEqual } from 'node:util';
import { NotAsked, type RawDatabase, rawJson, rawText, StatementRefused } from '../raw/raw-database.ts';
import { type Judgement, type Probe, type ProbeDesk, thinOf } from './probe.ts';

const DOCUMENT = {
  text: 'é"\\🙂',
  list: [1, 'two', null, true, { deep: -0.5 }],
  empty: {},
  big: 9007199254740991,
};

async function readBack(database: RawDatabase, table: string, id: string): Promise<unknown> {
  const { rows } = await database.ask({
    sql: `SELECT JSON_SERIALIZE(t.document RETURNING CLOB) AS document FROM ${table} t WHERE t.id = :id`,
    binds: { id: rawText(id) },
  });
  const [row] = rows;
  if (row === undefined) throw new NotAsked('the two transports lead to different schemas');
  return JSON.parse(String(row.document));
}

async function writeText({ database, name }: ProbeDesk): Promise<string> {
  const table = name('JSON');
  await database.ask({
    sql: `BEGIN\n  INSERT INTO ${table} (id, document) VALUES ('text', JSON(:document));\nEND;`,
    binds: { document: rawJson(DOCUMENT) },
  });
  return table;
}

function judged(document: unknown): Judgement {
  const holds = isDeepStrictEqual(document, DOCUMENT);
  return { holds, answer: holds ? 'the same values' : JSON.stringify(document) };
}

function otherOf({ other }: ProbeDesk): RawDatabase {
  if (other === undefined) throw new NotAsked('it takes both transports to one schema');
  return other;
}

/** A schema of another database has no such table. */
async function readOver(database: RawDatabase, table: string, id: string): Promise<unknown> {
  try {
    return await readBack(database, table, id);
  } catch (error) {
    if (error instanceof StatementRefused && error.number === 942) {
      throw new NotAsked('the two transports lead to different schemas');
    }
    throw error;
  }
}

/** Question 10. */
export const JSON_INTERCHANGE: Probe = {
  number: 10,
  question: 'Is JSON that one transport wrote readable over the other?',
  async prepare({ database, name }) {
    await database.ask({ sql: `CREATE TABLE ${name('JSON')} (id VARCHAR2(10 CHAR), document JSON)` });
  },
  points: [
    {
      asks: 'JSON written as JSON(:clob), read back over the same transport',
      assumes: 'JSON_SERIALIZE gives the same values',
      place: 'lib/sql/bind.ts: json',
      judge: async (desk) => judged(await readBack(desk.database, await writeText(desk), 'text')),
    },
    {
      asks: 'JSON written as JSON(:clob), read over the other transport',
      assumes: 'JSON_SERIALIZE gives the same values',
      place: 'lib/sql/bind.ts: json',
      async judge(desk) {
        const other = otherOf(desk);
        return judged(await readOver(other, await writeText(desk), 'text'));
      },
    },
    {
      asks: 'a JSON column without JSON_SERIALIZE (never sent by this program)',
      async tell(desk) {
        const table = await writeText(desk);
        const { rows } = await desk.database.ask({ sql: `SELECT t.document AS document FROM ${table} t` });
        return `${typeof rows[0]?.document}: ${JSON.stringify(rows[0]?.document)}`;
      },
    },
    {
      asks: 'JSON that node-oracledb encoded (OSON), read over ORDS (never sent by this program)',
      over: ['thin'],
      async tell(desk) {
        const other = otherOf(desk);
        const table = desk.name('JSON');
        await thinOf(desk).ask({
          sql: `INSERT INTO ${table} (id, document) VALUES ('oson', :document)`,
          binds: { document: { dataType: 'JSON', value: DOCUMENT } },
        });
        return JSON.stringify(await readOver(other, table, 'oson'));
      },
    },
  ],
};
