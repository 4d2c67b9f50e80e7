import { rawNumber, rawText } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';

/** As the store records the kind of an index. */
async function judgeMerge({ database, name }: ProbeDesk): Promise<Judgement> {
  const counts: string[] = [];
  for (const value of ['one', 'two']) {
    const { outs } = await database.ask({
      sql: `DECLARE
  l_key VARCHAR2(64 CHAR) := :key_in;
  l_value VARCHAR2(64 CHAR) := :value_in;
BEGIN
  MERGE INTO ${name('MERGE')} m USING (SELECT l_key AS meta_key, l_value AS meta_value FROM dual) s
  ON (m.meta_key = s.meta_key)
  WHEN MATCHED THEN UPDATE SET m.meta_value = s.meta_value
  WHEN NOT MATCHED THEN INSERT (meta_key, meta_value) VALUES (s.meta_key, s.meta_value);
  :rows_1 := SQL%ROWCOUNT;
END;`,
      binds: { key_in: rawText('key'), value_in: rawText(value) },
      outs: { rows_1: 'NUMBER' },
    });
    counts.push(String(outs.rows_1));
  }
  const { rows } = await database.ask({ sql: `SELECT m.meta_value AS meta_value FROM ${name('MERGE')} m` });
  const values = rows.map((row) => String(row.meta_value));
  return {
    holds: counts.join() === '1,1' && values.join() === 'two',
    answer: `row counts ${counts.join(', ')}; stored ${values.join(', ')}`,
  };
}

async function tellReturning({ database, name }: ProbeDesk): Promise<string> {
  const { outs } = await database.ask({
    sql: `DECLARE
  l_amount NUMBER := :amount;
  l_value VARCHAR2(64 CHAR);
BEGIN
  MERGE INTO ${name('MERGE')} m USING (SELECT l_amount AS amount FROM dual) s
  ON (m.meta_key = 'returning')
  WHEN MATCHED THEN UPDATE SET m.meta_value = 'changed'
  WHEN NOT MATCHED THEN INSERT (meta_key, meta_value) VALUES ('returning', TO_CHAR(s.amount))
  RETURNING m.meta_value INTO l_value;
  :value_out := l_value;
END;`,
    binds: { amount: rawNumber(7) },
    outs: { value_out: 'VARCHAR2' },
  });
  return JSON.stringify(outs.value_out);
}

/** Question 14. */
export const STATEMENT_FORMS: Probe = {
  number: 14,
  question: 'Does MERGE in a block do what the store needs, and what of long IN lists and MERGE … RETURNING?',
  async prepare({ database, name }) {
    await database.ask({
      sql: `CREATE TABLE ${name('MERGE')} (meta_key VARCHAR2(64 CHAR), meta_value VARCHAR2(64 CHAR))`,
    });
  },
  points: [
    {
      asks: 'MERGE of a row that is not there and of one that is',
      assumes: 'row count 1 each time, and the later value stays',
      place: 'lib/schema/optional-index.ts: MERGE INTO',
      judge: judgeMerge,
    },
    { asks: 'MERGE … RETURNING … INTO in a block (never sent by this program)', tell: tellReturning },
    {
      asks: 'an IN list of 1,001 numbers (never sent by this program)',
      async tell({ database }) {
        const list = Array.from({ length: 1_001 }, (_, index) => index).join(', ');
        const { rows } = await database.ask({ sql: `SELECT 1 AS one FROM dual WHERE 1000 IN (${list})` });
        return `${rows.length} row`;
      },
    },
  ],
};
