import { rawJson } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';

/** What ORDS is told to return at most, and node-oracledb to fetch. */
const MAXIMUM_ROWS = 10_000;

function rowsOf({ database }: ProbeDesk, total: number, limit: number) {
  const numbers = Array.from({ length: total }, (_, index) => index);
  return database.ask({
    sql: "SELECT j.place AS place FROM JSON_TABLE(:items, '$[*]' COLUMNS (place NUMBER PATH '$')) j",
    binds: { items: rawJson(numbers) },
    limit,
  });
}

async function judgeMore(desk: ProbeDesk): Promise<Judgement> {
  const exact = await rowsOf(desk, 10, 10);
  const beyond = await rowsOf(desk, 11, 10);
  return {
    holds:
      exact.rows.length === 10 &&
      exact.hasMore === false &&
      beyond.rows.length === 10 &&
      beyond.hasMore === true,
    answer: `10 of 10: ${exact.rows.length} rows, hasMore ${exact.hasMore}; 10 of 11: ${beyond.rows.length} rows, hasMore ${beyond.hasMore}`,
  };
}

async function judgeMaximum(desk: ProbeDesk): Promise<Judgement> {
  const { rows, hasMore } = await rowsOf(desk, MAXIMUM_ROWS + 1, MAXIMUM_ROWS);
  return {
    holds: rows.length === MAXIMUM_ROWS && hasMore === true,
    answer: `${rows.length} of ${MAXIMUM_ROWS + 1} rows, hasMore ${hasMore}`,
  };
}

/** Question 7. */
export const ROW_LIMITS: Probe = {
  number: 7,
  question: 'How many rows does one answer have, and does it say that there are more?',
  points: [
    {
      asks: 'as many rows as the limit, and one more',
      assumes: 'only the second answer says that there are more',
      place: 'lib/sql/ords/rest-sql-wire.ts: hasMore',
      over: ['ords'],
      judge: judgeMore,
    },
    {
      asks: `a limit of ${MAXIMUM_ROWS} for ${MAXIMUM_ROWS + 1} rows`,
      assumes: 'the limit is kept, and there are more',
      place: 'lib/sql/ords/config.ts: maxRows',
      over: ['ords'],
      judge: judgeMaximum,
    },
    {
      asks: `a fetch of ${MAXIMUM_ROWS + 1} rows where there are more`,
      assumes: 'exactly as many rows come, so that one too many shows',
      place: 'lib/sql/node-oracledb/query-result.ts: maxRows + 1',
      over: ['thin'],
      async judge(desk) {
        const { rows } = await rowsOf(desk, MAXIMUM_ROWS + 500, MAXIMUM_ROWS + 1);
        return { holds: rows.length === MAXIMUM_ROWS + 1, answer: `${rows.length} rows` };
      },
    },
    {
      asks: `a limit of ${2 * MAXIMUM_ROWS} for ${MAXIMUM_ROWS + 1} rows`,
      async tell(desk) {
        const { rows, hasMore } = await rowsOf(desk, MAXIMUM_ROWS + 1, 2 * MAXIMUM_ROWS);
        return hasMore === undefined ? `${rows.length} rows` : `${rows.length} rows, hasMore ${hasMore}`;
      },
    },
  ],
};
