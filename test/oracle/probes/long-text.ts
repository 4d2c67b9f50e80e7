import { rawClob, rawNumber } from '../raw/raw-database.ts';
import type { AssumingPoint, Judgement, Probe, ProbeDesk } from './probe.ts';

/** Characters of one to four bytes. */
const PATTERN = 'Añ日🙂 ';
const textOf = (length: number): string => PATTERN.repeat(Math.ceil(length / PATTERN.length));

async function judgeText({ database, name }: ProbeDesk, id: number, length: number): Promise<Judgement> {
  const content = textOf(length);
  await database.ask({
    sql: `DECLARE
  l_content CLOB := :content;
  l_id NUMBER := :id;
BEGIN
  INSERT INTO ${name('TEXT')} (id, content) VALUES (l_id, l_content);
END;`,
    binds: { content: rawClob(content), id: rawNumber(id) },
  });
  const { rows } = await database.ask({
    sql: `SELECT t.content AS content, LENGTH(t.content) AS stored FROM ${name('TEXT')} t WHERE t.id = :id`,
    binds: { id: rawNumber(id) },
  });
  const back = rows[0]?.content;
  const read = typeof back === 'string' ? back.length : 0;
  return {
    holds: back === content,
    answer: `sent ${content.length} UTF-16 units, stored ${String(rows[0]?.stored)} characters, read ${read}${back === content ? ', equal' : ''}`,
  };
}

function textPoint(id: number, length: number): AssumingPoint {
  return {
    asks: `a text of about ${length} characters as a CLOB bind of a block, and as a CLOB column`,
    assumes: 'it arrives and comes back whole',
    place: 'lib/sql/bind.ts: clob',
    judge: (desk) => judgeText(desk, id, length),
  };
}

/** Question 2. */
export const LONG_TEXT: Probe = {
  number: 2,
  question: 'Do long texts pass, as binds and as columns?',
  async prepare({ database, name }) {
    await database.ask({ sql: `CREATE TABLE ${name('TEXT')} (id NUMBER(3), content CLOB)` });
  },
  points: [
    textPoint(1, 5_000),
    textPoint(2, 40_000),
    textPoint(3, 1_500_000),
    {
      asks: 'a CLOB out bind of about 40,000 characters',
      async tell({ database }) {
        const { outs } = await database.ask({
          sql: 'DECLARE\n  l_content CLOB := :content;\nBEGIN\n  :copy_out := l_content;\nEND;',
          binds: { content: rawClob(textOf(40_000)) },
          outs: { copy_out: 'CLOB' },
        });
        const copy = outs.copy_out;
        return typeof copy === 'string' ? `text of ${copy.length} UTF-16 units` : JSON.stringify(copy);
      },
    },
  ],
};
