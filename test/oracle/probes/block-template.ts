import { isDeepStrictEqual } from 'node:util';
import { renderModuleScript } from '../../../infra/ords/render-module-script.ts';
import { type FixedStatement, statementHash } from '../../../lib/sql/fixed-statement.ts';
import { readSqlclScript } from '../../schema/sqlcl-script.ts';
import { rawJson, rawText } from '../raw/raw-database.ts';
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

const INSTALLED = 'SELECT :word AS word FROM dual';

/** The script of `npm run schema -- module`, with one statement. */
async function judgePackage({ database, names }: ProbeDesk): Promise<Judgement> {
  const statement: FixedStatement = {
    name: 'probe.word',
    hash: await statementHash(INSTALLED),
    sql: INSTALLED,
    kind: 'query',
    binds: { word: 'text' },
    shape: { word: 'text' },
    outs: [],
  };
  const script = renderModuleScript({
    names,
    statements: [statement],
    runtimeUser: 'nobody',
    hasRowIsolation: false,
  });
  const steps = readSqlclScript(script).filter(
    ({ kind, text }) => kind !== 'command' && !/^(?:GRANT|COMMIT)\b/.test(text),
  );
  for (const { text } of steps) await database.ask({ sql: text });
  return { holds: true, answer: `all ${steps.length} statements of the script ran, and everything is valid` };
}

/** As the ORDS module calls it; the page that it prints is read back in the same session. */
async function tellCall({ database, names }: ProbeDesk): Promise<string> {
  const { outs } = await database.ask({
    sql: `DECLARE
  l_names OWA.VC_ARR;
  l_values OWA.VC_ARR;
  l_page HTP.HTBUF_ARR;
  l_lines INTEGER := 1000;
  l_status NUMBER;
BEGIN
  OWA.INIT_CGI_ENV(0, l_names, l_values);
  ${names.prefix}MEMORY_CALL.run(:name_in, :hash_in, :body_in, l_status);
  HTP.GET_PAGE(l_page, l_lines);
  :status_out := l_status;
  :page_out := l_page(l_lines);
END;`,
    binds: {
      name_in: rawText('probe.word'),
      hash_in: rawText(await statementHash(INSTALLED)),
      body_in: rawJson({ binds: { word: 'é"🙂' } }),
    },
    outs: { status_out: 'NUMBER', page_out: 'VARCHAR2' },
  });
  return `${String(outs.status_out)}: ${String(outs.page_out)}`;
}

/** Question 8. */
export const BLOCK_TEMPLATE: Probe = {
  number: 8,
  question:
    'Does a block read rows from one JSON bind and give out what it did, also as an installed statement?',
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
      asks: 'the script that installs statements for the ORDS module',
      assumes: 'its table, function and package are created and compile',
      place: 'infra/ords/call_package.sql: DBMS_SQL',
      judge: judgePackage,
    },
    { asks: 'a call of an installed query by way of the package', tell: tellCall },
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
