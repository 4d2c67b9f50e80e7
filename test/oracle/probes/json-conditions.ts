import { renderFilterFunction } from '../../../infra/ords/render-module-script.ts';
import type { JsonObject } from '../../../lib/schemas/metadata.ts';
import { compileMetadataFilter } from '../../../lib/store/records/metadata-filter.ts';
import { matchesFilter } from '../../store/evaluate-metadata-filter.ts';
import { rawClob, rawJson, rawNumber } from '../raw/raw-database.ts';
import type { InformingPoint, Judgement, Probe, ProbeDesk } from './probe.ts';

/** Where the relaxed comparison of paths would say yes and contract §7 says no, and the other way round. */
const PAIRS: readonly (readonly [metadata: JsonObject, filter: JsonObject])[] = [
  [{ tag: 'x' }, { tag: 'x' }],
  [{ tag: ['x'] }, { tag: 'x' }],
  [{ tag: 'x' }, { tag: ['x'] }],
  [{ count: 1 }, { count: '1' }],
  [{ count: '1' }, { count: 1 }],
  [{ count: 1 }, { count: 1.0 }],
  [{ flag: true }, { flag: 'true' }],
  [{ none: null }, { none: null }],
  [{}, { none: null }],
  [{ list: [{ deep: 1 }] }, { list: { deep: 1 } }],
  [{ list: ['x', 'y'] }, { list: { $array_contains: 'y' } }],
  [{ list: 'y' }, { list: { $array_contains: 'y' } }],
  [{ list: [1, '2'] }, { list: { $array_contains_any: [2] } }],
  [{ list: [[1]] }, { list: { $array_contains: 1 } }],
  [{ tag: ['x'] }, { tag: { $not: 'x' } }],
  [{}, { tag: { $not: 'x' } }],
  [{ nested: { one: 1, two: 2 } }, { nested: { two: 2 } }],
  [{ nested: {} }, { nested: {} }],
];

/** Whether the metadata of the row with this id meets a condition. */
type Matches = (id: number, filter: JsonObject) => Promise<boolean>;

async function judgePairs(matches: Matches): Promise<Judgement> {
  const wrong: string[] = [];
  for (const [id, [metadata, filter]] of PAIRS.entries()) {
    const found = await matches(id, filter);
    if (found !== matchesFilter(filter, metadata)) {
      wrong.push(`${JSON.stringify(filter)} ${found ? 'matches' : 'misses'} ${JSON.stringify(metadata)}`);
    }
  }
  return {
    holds: wrong.length === 0,
    answer: `${wrong.length} of ${PAIRS.length} pairs differ: ${wrong.join('; ') || 'none'}`,
  };
}

function judgeConditions({ database, name }: ProbeDesk): Promise<Judgement> {
  return judgePairs(async (id, filter) => {
    const { sql, binds } = compileMetadataFilter(filter, 'r.metadata');
    const { rows } = await database.ask({
      sql: `SELECT COUNT(*) AS total FROM ${name('DATA')} r WHERE r.id = :id AND ${sql}`,
      binds: {
        id: rawNumber(id),
        ...Object.fromEntries(
          Object.entries(binds).map(([bind, { value }]) => [bind, rawClob(String(value))]),
        ),
      },
    });
    return Number(rows[0]?.total) === 1;
  });
}

async function judgeFunction({ database, name, names }: ProbeDesk): Promise<Judgement> {
  await database.ask({ sql: renderFilterFunction(names) });
  return judgePairs(async (id, filter) => {
    const { rows } = await database.ask({
      sql: `SELECT ${names.filterFunction}(r.metadata, :filter) AS found FROM ${name('DATA')} r WHERE r.id = :id`,
      binds: { id: rawNumber(id), filter: rawJson(filter) },
    });
    return Number(rows[0]?.found) === 1;
  });
}

/** What the database makes of a path condition that this program never sends. */
function informing(asks: string, condition: string): InformingPoint {
  return {
    asks: `${asks} (never sent by this program)`,
    async tell({ database }) {
      const { rows } = await database.ask({
        sql: `SELECT CASE WHEN ${condition} THEN 'yes' ELSE 'no' END AS found FROM dual`,
      });
      return String(rows[0]?.found);
    },
  };
}

/** Question 9. */
export const JSON_CONDITIONS: Probe = {
  number: 9,
  question: 'What do JSON path conditions find in scalars, arrays and other types?',
  async prepare({ database, name }) {
    await database.ask({ sql: `CREATE TABLE ${name('DATA')} (id NUMBER(3), metadata JSON)` });
    for (const [id, [metadata]] of PAIRS.entries()) {
      await database.ask({
        sql: `BEGIN\n  INSERT INTO ${name('DATA')} (id, metadata) VALUES (:id, JSON(:metadata));\nEND;`,
        binds: { id: rawNumber(id), metadata: rawJson(metadata) },
      });
    }
  },
  points: [
    {
      asks: `${PAIRS.length} pairs of metadata and filter`,
      assumes: 'each condition finds what contract §7 says, by JSON_EXISTS, JSON_EQUAL and @.type()',
      place: 'lib/store/records/metadata-filter.ts: compileMetadataFilter',
      judge: judgeConditions,
    },
    {
      asks: 'the same pairs with the stored function of installed statements',
      assumes: 'it compiles, and gives 1 and 0 as contract §7 says',
      place: 'infra/ords/metadata_matches.sql: RETURN NUMBER',
      judge: judgeFunction,
    },
    informing(
      'a scalar comparison that meets an array',
      `JSON_EXISTS(JSON('{"tag":["x"]}'), '$.tag?(@ == $wanted)' PASSING 'x' AS "wanted")`,
    ),
    informing(
      'a text compared with a number',
      `JSON_EXISTS(JSON('{"count":1}'), '$.count?(@ == $wanted)' PASSING '1' AS "wanted")`,
    ),
    informing(
      'the same with TYPE (STRICT)',
      `JSON_EXISTS(JSON('{"count":1}'), '$.count?(@ == $wanted)' PASSING '1' AS "wanted" TYPE (STRICT))`,
    ),
    informing(
      '@.type() of an array by way of a member step',
      `JSON_EXISTS(JSON('{"tag":["x"]}'), '$.tag?(@.type() == "array")')`,
    ),
  ],
};
