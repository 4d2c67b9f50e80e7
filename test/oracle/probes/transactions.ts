import { type RawDatabase, rawText, StatementRefused } from '../raw/raw-database.ts';
import { type Judgement, ordsOf, type Probe, type ProbeDesk } from './probe.ts';

async function countOf(database: RawDatabase, table: string, id: string): Promise<number> {
  const { rows } = await database.ask({
    sql: `SELECT COUNT(*) AS total FROM ${table} t WHERE t.id LIKE :id`,
    binds: { id: rawText(`${id}%`) },
  });
  return Number(rows[0]?.total);
}

async function judgeFailedBlock({ database, name }: ProbeDesk): Promise<Judgement> {
  const insert = `INSERT INTO ${name('STEP')} (id) VALUES ('failed')`;
  const refusal = await database.ask({ sql: `BEGIN\n  ${insert};\n  ${insert};\nEND;` }).then(
    () => undefined,
    (error: unknown) => error,
  );
  const total = await countOf(database, name('STEP'), 'failed');
  return {
    holds: refusal instanceof StatementRefused && total === 0,
    answer: `${total} rows left by a block whose second statement failed`,
  };
}

async function judgeCommit({ database, name }: ProbeDesk): Promise<Judgement> {
  await database.ask({ sql: `BEGIN\n  INSERT INTO ${name('STEP')} (id) VALUES ('kept');\nEND;` });
  const total = await countOf(database, name('STEP'), 'kept');
  return { holds: total === 1, answer: `the next request finds ${total} row` };
}

async function tellScript({ database, name }: ProbeDesk): Promise<string> {
  const table = name('STEP');
  const one = `INSERT INTO ${table} (id) VALUES ('script1')`;
  const script = `${one};\n${one};\nINSERT INTO ${table} (id) VALUES ('script2');`;
  const outcome = await database.ask({ sql: script }).then(
    () => 'no error',
    (error: unknown) => {
      if (error instanceof StatementRefused && error.number > 0) return error.told;
      throw error;
    },
  );
  return `${outcome}; ${await countOf(database, table, 'script')} of 2 rows left by a script whose second statement fails`;
}

async function tellCursor({ database, name }: ProbeDesk): Promise<string> {
  const table = name('STEP');
  const { outs } = await database.ask({
    sql: `BEGIN
  INSERT INTO ${table} (id) VALUES ('cursor');
  OPEN :found FOR SELECT t.id AS id FROM ${table} t WHERE t.id = 'cursor';
END;`,
    outs: { found: 'CURSOR' },
  });
  return JSON.stringify(outs.found);
}

/** Question 4. */
export const TRANSACTIONS: Probe = {
  number: 4,
  question: 'What is committed and what is undone, and what does an OUT cursor look like?',
  async prepare({ database, name }) {
    const table = name('STEP');
    await database.ask({
      sql: `CREATE TABLE ${table} (id VARCHAR2(20 CHAR) CONSTRAINT ${table}_PK PRIMARY KEY)`,
    });
  },
  points: [
    {
      asks: 'a block that fails in the middle',
      assumes: 'nothing of it stays',
      place: 'lib/sql/block-compiler.ts: compileBlock',
      judge: judgeFailedBlock,
    },
    {
      asks: 'a block that succeeds',
      assumes: 'it is committed when its answer comes',
      place: 'lib/sql/sql-transport.ts: SqlTransport',
      judge: judgeCommit,
    },
    {
      asks: 'a script of three statements of which the second fails',
      over: ['ords'],
      tell: (desk) => tellScript({ ...desk, database: ordsOf(desk) }),
    },
    { asks: 'an OUT cursor on a row that the same block wrote', tell: tellCursor },
  ],
};
