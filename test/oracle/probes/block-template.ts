import { isDeepStrictEqual } from 'node:util';
import { rawJson } from '../raw/raw-database.ts';
import type { Judgement, Probe, ProbeDesk } from './probe.ts';

const METADATA = { list: [1, 'two'], nested: { empty: '' } };
const ITEMS = [
  { ordinal: 3, id: 'third', content: 'short', metadata: '{}' },
  {
    ordinal: 1,
    id: 'first',
    content: 'x'.repeat(40_000),
    metadata: JSON.stringify(METADATA),
    vector: '[1,2,3,4]',
  },
  { ordinal: 2, id: 'second', metadata: '{}' },
];

/** As the store inserts records and chunks: texts, JSON and vectors from one JSON bind, in the order of a column. */
async function judgeInsert({ database, name }: ProbeDesk): Promise<Judgement> {
  const { outs } = await database.ask({
    sql: `DECLARE
  l_items CLOB := :items;
BEGIN
  INSERT INTO ${name('ITEM')} (id, content, metadata, embedding)
  SELECT j.id, j.content, JSON(j.metadata), TO_VECTOR(j.embedding, 4, FLOAT32)
  FROM JSON_TABLE(l_items, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal NUMBER PATH '$.ordinal',
    id VARCHAR2(10 CHAR) PATH '$.id',
    content CLOB PATH '$.content',
    metadata CLOB PATH '$.metadata',
    embedding CLOB PATH '$.vector')) j
  ORDER BY j.ordinal;
  :rows_1 := SQL%ROWCOUNT;
END;`,
    binds: { items: rawJson(ITEMS) },
    outs: { rows_1: 'NUMBER' },
  });
  const { rows } = await database.ask({
    sql: `SELECT t.id AS id, COALESCE(LENGTH(t.content), 0) AS stored, VECTOR_DIMENSION_COUNT(t.embedding) AS width,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS metadata
FROM ${name('ITEM')} t ORDER BY t.order_seq`,
  });
  const found = rows.map(({ id, stored, width = null, metadata }) => [
    id,
    stored,
    width,
    JSON.parse(String(metadata)),
  ]);
  const expected = [
    ['first', 40_000, 4, METADATA],
    ['second', 0, null, {}],
    ['third', 5, null, {}],
  ];
  return {
    holds: Number(outs.rows_1) === ITEMS.length && isDeepStrictEqual(found, expected),
    answer: `row count ${String(outs.rows_1)}; by identity: ${JSON.stringify(found)}`,
  };
}

/** Question 8. */
export const BLOCK_TEMPLATE: Probe = {
  number: 8,
  question: 'Does a block read rows from one JSON bind, and give out what it did?',
  async prepare({ database, name }) {
    await database.ask({
      sql: `CREATE TABLE ${name('ITEM')} (
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  id VARCHAR2(10 CHAR), content CLOB, metadata JSON, embedding VECTOR(4, FLOAT32))`,
    });
  },
  points: [
    {
      asks: 'INSERT … SELECT from JSON_TABLE over a CLOB variable, with JSON() and TO_VECTOR() of CLOB columns',
      assumes:
        'rows are numbered in the order of ORDER BY, what is missing is NULL, the row count comes back',
      place: 'lib/store/records/record-rows.ts: recordInsert',
      judge: judgeInsert,
    },
    {
      asks: 'a column CLOB FORMAT JSON',
      async tell({ database }) {
        const { rows } = await database.ask({
          sql: "SELECT j.part AS part FROM JSON_TABLE(:items, '$[*]' COLUMNS (part CLOB FORMAT JSON PATH '$.part')) j",
          binds: { items: rawJson([{ part: METADATA }]) },
        });
        return JSON.stringify(rows);
      },
    },
    {
      asks: ':out := JSON_OBJECT(… RETURNING VARCHAR2) in a block',
      async tell({ database }) {
        const { outs } = await database.ask({
          sql: "BEGIN\n  :object_out := JSON_OBJECT('n' VALUE 1 RETURNING VARCHAR2);\nEND;",
          outs: { object_out: 'VARCHAR2' },
        });
        return JSON.stringify(outs.object_out);
      },
    },
  ],
};
