import { inClob, inNumber, inText, type StatementCase } from './statement-case.ts';
import { jsonText } from './value-matchers.ts';

/** Ids of the documents that fulfil a condition. */
const documentsWhere = (
  title: string,
  condition: string,
  ids: readonly string[],
  binds: StatementCase['binds'] = [],
): StatementCase => ({
  title,
  sql: `SELECT d.id FROM documents d WHERE ${condition} ORDER BY d.id`,
  binds,
  rows: ids.map((id) => [id]),
});

/** One expression over a document and its value. */
const fromDocument = (title: string, id: string, expression: string, result: unknown): StatementCase => ({
  title,
  sql: `SELECT ${expression} AS v FROM documents d WHERE d.id = '${id}'`,
  rows: [[result]],
});

export const JSON_CASES: readonly StatementCase[] = [
  fromDocument('JSON_VALUE of text', 'd1', "JSON_VALUE(d.body, '$.color')", 'red'),
  fromDocument(
    'JSON_VALUE of a number is text by default',
    'd1',
    "JSON_VALUE(d.body, '$.size') || '!'",
    '3!',
  ),
  fromDocument('JSON_VALUE returns a number', 'd1', "JSON_VALUE(d.body, '$.size' RETURNING NUMBER)", 3),
  fromDocument('JSON_VALUE of a nested member', 'd1', "JSON_VALUE(d.body, '$.inner.k' RETURNING NUMBER)", 1),
  fromDocument('JSON_VALUE of an array element', 'd1', "JSON_VALUE(d.body, '$.tags[1]')", 'b'),
  fromDocument('JSON_VALUE of an absent member', 'd4', "JSON_VALUE(d.body, '$.color')", null),
  fromDocument('JSON_VALUE of null', 'd3', "JSON_VALUE(d.body, '$.color')", null),
  fromDocument(
    'JSON_VALUE of an empty text is NULL',
    'd1',
    "NVL(JSON_VALUE(d.body, '$.empty'), 'nothing')",
    'nothing',
  ),
  fromDocument('JSON_VALUE of a boolean', 'd2', "JSON_VALUE(d.body, '$.flag')", 'true'),
  fromDocument('JSON_VALUE of an object is NULL on error', 'd1', "JSON_VALUE(d.body, '$.inner')", null),
  fromDocument(
    'JSON_VALUE of text as a number is NULL on error',
    'd1',
    "JSON_VALUE(d.body, '$.color' RETURNING NUMBER)",
    null,
  ),
  fromDocument(
    'JSON_VALUE with a default on empty',
    'd4',
    "JSON_VALUE(d.body, '$.color' DEFAULT 'none' ON EMPTY)",
    'none',
  ),
  fromDocument(
    'ERROR ON ERROR with NULL ON EMPTY',
    'd4',
    "JSON_VALUE(d.body, '$.color' ERROR ON ERROR NULL ON EMPTY)",
    null,
  ),
  fromDocument(
    'JSON_QUERY of an array',
    'd1',
    "JSON_QUERY(d.body, '$.tags' RETURNING CLOB)",
    jsonText(['a', 'b']),
  ),
  fromDocument(
    'JSON_QUERY with a wrapper',
    'd1',
    "JSON_QUERY(d.body, '$.tags[*]' RETURNING CLOB WITH WRAPPER)",
    jsonText(['a', 'b']),
  ),
  fromDocument(
    'JSON_SERIALIZE of a document',
    'd3',
    'JSON_SERIALIZE(d.body RETURNING CLOB)',
    jsonText({ color: null, tags: [] }),
  ),
  fromDocument(
    'JSON_MERGEPATCH sets and removes',
    'd3',
    `JSON_SERIALIZE(JSON_MERGEPATCH(d.body, '{"color":"grey","tags":null}') RETURNING CLOB)`,
    jsonText({ color: 'grey' }),
  ),
  {
    title: 'a default fills a JSON column',
    sql: "SELECT JSON_SERIALIZE(d.body RETURNING CLOB) AS body FROM documents d WHERE d.id = 'd4'",
    columns: ['BODY'],
    rows: [[jsonText({})]],
  },
  documentsWhere('JSON_EXISTS finds a member, also one that is null', "JSON_EXISTS(d.body, '$.color')", [
    'd1',
    'd2',
    'd3',
  ]),
  documentsWhere('NOT JSON_EXISTS', "NOT JSON_EXISTS(d.body, '$.color')", ['d4']),
  documentsWhere('JSON_EXISTS with a quoted name', `JSON_EXISTS(d.body, '$."inner"."k"')`, ['d1']),
  documentsWhere('JSON_EXISTS with a filter on elements', `JSON_EXISTS(d.body, '$.tags[*]?(@ == "b")')`, [
    'd1',
    'd2',
  ]),
  documentsWhere(
    'JSON_EXISTS with a bound value',
    `JSON_EXISTS(d.body, '$?(@.color == $wanted)' PASSING :wanted AS "wanted")`,
    ['d2'],
    [inText('WANTED', 'blue')],
  ),
  documentsWhere(
    'JSON_EXISTS with a bound number',
    `JSON_EXISTS(d.body, '$?(@.inner.k >= $least)' PASSING :least AS "least")`,
    ['d1'],
    [inNumber('LEAST', 1)],
  ),
  documentsWhere(
    'JSON_EQUAL tells text from numbers',
    "JSON_EXISTS(d.body, '$.size') AND JSON_EQUAL(JSON_QUERY(d.body, '$.size' RETURNING JSON), JSON(:wanted))",
    ['d2'],
    [inClob('WANTED', '"3"')],
  ),
  documentsWhere(
    'JSON_EQUAL ignores the order of members',
    `JSON_EQUAL(d.body, JSON('{"tags":[],"color":null}'))`,
    ['d3'],
  ),
  documentsWhere(
    'JSON_EQUAL respects the order of elements',
    `JSON_EQUAL(JSON_QUERY(d.body, '$.tags' RETURNING JSON), JSON('["b","a"]'))`,
    [],
  ),
  documentsWhere(
    'elements of an array through JSON_TABLE',
    `EXISTS (SELECT 1 FROM JSON_TABLE(d.body, '$.tags[*]' COLUMNS (e JSON PATH '$')) j WHERE JSON_EQUAL(j.e, JSON('"a"')))`,
    ['d1'],
  ),
  documentsWhere('an item method in a filter', `JSON_EXISTS(d.body, '$?(@."inner".type() == "object")')`, [
    'd1',
  ]),
  documentsWhere('IS JSON on text', `d.id = 'd1' AND '{"a":1}' IS JSON AND 'nonsense' IS NOT JSON`, ['d1']),
  {
    title: 'JSON_TABLE reads rows with an ordinal number',
    sql: "SELECT j.ord, j.sku, j.amount FROM JSON_TABLE(:lines, '$.items[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', amount NUMBER PATH '$.amount')) j ORDER BY j.ord",
    binds: [inClob('LINES', '{"items":[{"sku":"pen","amount":2},{"sku":"ink"},{"amount":1.5}]}')],
    columns: ['ORD', 'SKU', 'AMOUNT'],
    rows: [
      [1, 'pen', 2],
      [2, 'ink', null],
      [3, null, 1.5],
    ],
  },
  {
    title: 'JSON_TABLE reads an empty text as NULL',
    sql: "SELECT COUNT(*) AS n FROM JSON_TABLE(:names, '$[*]' COLUMNS (name VARCHAR2(10 CHAR) PATH '$')) j WHERE j.name IS NULL",
    binds: [inClob('NAMES', '["", "x", null]')],
    rows: [[2]],
  },
  {
    title: 'JSON_TABLE with a nested path',
    sql: "SELECT j.name, j.part FROM JSON_TABLE(:things, '$[*]' COLUMNS (name VARCHAR2(10 CHAR) PATH '$.name', NESTED PATH '$.parts[*]' COLUMNS (part VARCHAR2(10 CHAR) PATH '$'))) j ORDER BY j.name, j.part",
    binds: [inClob('THINGS', '[{"name":"car","parts":["door","wheel"]},{"name":"log","parts":[]}]')],
    rows: [
      ['car', 'door'],
      ['car', 'wheel'],
      ['log', null],
    ],
  },
  {
    title: 'JSON_TABLE over a column of the same query block',
    sql: "SELECT d.id, j.tag FROM documents d CROSS JOIN JSON_TABLE(d.body, '$.tags[*]' COLUMNS (tag VARCHAR2(10 CHAR) PATH '$')) j ORDER BY d.id, j.tag",
    rows: [
      ['d1', 'a'],
      ['d1', 'b'],
      ['d2', 'b'],
    ],
  },
  {
    title: 'JSON_TABLE reads a long text',
    sql: "SELECT DBMS_LOB.GETLENGTH(j.content) AS n FROM JSON_TABLE(:things, '$[*]' COLUMNS (content CLOB PATH '$.content')) j",
    binds: [inClob('THINGS', JSON.stringify([{ content: 'x'.repeat(9000) }]))],
    rows: [[9000]],
  },
  {
    title: 'JSON_OBJECT keeps NULL members',
    sql: "SELECT JSON_OBJECT('id' VALUE o.order_id, 'note' VALUE o.note RETURNING CLOB) AS body FROM orders o WHERE o.order_id = 2",
    rows: [[jsonText({ id: 2, note: null })]],
  },
  {
    title: 'JSON_OBJECT leaves NULL members out when told',
    sql: "SELECT JSON_OBJECT('id' VALUE o.order_id, 'note' VALUE o.note ABSENT ON NULL RETURNING CLOB) AS body FROM orders o WHERE o.order_id = 2",
    rows: [[jsonText({ id: 2 })]],
  },
  {
    title: 'JSON_ARRAYAGG in order, nested with FORMAT JSON',
    sql: "SELECT JSON_OBJECT('order' VALUE o.order_id, 'lines' VALUE (SELECT JSON_ARRAYAGG(JSON_OBJECT('sku' VALUE l.sku RETURNING CLOB) FORMAT JSON ORDER BY l.position DESC RETURNING CLOB) FROM order_lines l WHERE l.order_id = o.order_id) FORMAT JSON RETURNING CLOB) AS body FROM orders o WHERE o.order_id = 1",
    rows: [[jsonText({ order: 1, lines: [{ sku: 'ink' }, { sku: 'pen' }] })]],
  },
  {
    title: 'text without FORMAT JSON stays text',
    sql: `SELECT JSON_OBJECT('a' VALUE '{"b":1}' RETURNING CLOB) AS body FROM dual`,
    rows: [[jsonText({ a: '{"b":1}' })]],
  },
  {
    title: 'a JSON column needs no FORMAT JSON',
    sql: "SELECT JSON_OBJECT('doc' VALUE d.body RETURNING CLOB) AS body FROM documents d WHERE d.id = 'd3'",
    rows: [[jsonText({ doc: { color: null, tags: [] } })]],
  },
  {
    title: 'JSON_ARRAY keeps the kinds of its values',
    sql: "SELECT JSON_ARRAY(1, 'x', 0.5 RETURNING CLOB) AS body FROM dual",
    rows: [[jsonText([1, 'x', 0.5])]],
  },
  {
    title: 'JSON_ARRAYAGG skips NULL',
    sql: 'SELECT JSON_ARRAYAGG(e.bonus ORDER BY e.bonus RETURNING CLOB) AS bonuses FROM employees e',
    rows: [[jsonText([25.5, 50])]],
  },
  {
    title: 'refuses text that is not JSON',
    sql: 'SELECT JSON_SERIALIZE(JSON(:body) RETURNING CLOB) AS v FROM dual',
    binds: [inText('BODY', '{"a":')],
    error: 40441,
  },
  {
    title: 'refuses text that is not JSON in a JSON column',
    sql: "INSERT INTO documents (id, body) VALUES ('bad', '{a')",
    error: 40441,
  },
  {
    title: 'refuses = between JSON values',
    sql: 'SELECT d.id FROM documents d JOIN documents x ON x.body = d.body',
    error: 40796,
  },
  {
    title: 'ERROR ON ERROR covers an absent member',
    sql: "SELECT JSON_VALUE(d.body, '$.nothing' ERROR ON ERROR) AS v FROM documents d WHERE d.id = 'd1'",
    error: 40462,
  },
  {
    title: 'ERROR ON ERROR for an object',
    sql: "SELECT JSON_VALUE(d.body, '$.inner' ERROR ON ERROR NULL ON EMPTY) AS v FROM documents d WHERE d.id = 'd1'",
    error: 40456,
  },
  {
    title: 'JSON_TABLE with ERROR ON ERROR refuses an over-long value',
    sql: "SELECT j.name FROM JSON_TABLE(:names, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (name VARCHAR2(3 CHAR) PATH '$')) j",
    binds: [inClob('NAMES', '["long name"]')],
    error: 40478,
  },
  {
    title: 'JSON_OBJECT with colons',
    sql: "SELECT JSON_OBJECT('a' : 1, 'b' : 'x' RETURNING CLOB) AS body FROM dual",
    rows: [[jsonText({ a: 1, b: 'x' })]],
    beyondGrammar: true,
  },
  {
    title: 'JSON_OBJECTAGG builds members from rows',
    sql: 'SELECT JSON_OBJECTAGG(KEY d.name VALUE d.department_id RETURNING CLOB) AS ids FROM departments d',
    rows: [[jsonText({ Sales: 10, Research: 20, Archive: 30 })]],
  },
  {
    title: 'a JSON column takes a scalar',
    sql: "UPDATE documents SET body = '5' WHERE id = 'd1'",
    affected: 1,
  },
  {
    title: 'JSON_TABLE writes booleans as words and numbers as text',
    sql: "SELECT j.v FROM JSON_TABLE('[true, 1, \"x\"]', '$[*]' COLUMNS (ord FOR ORDINALITY, v VARCHAR2(10 CHAR) PATH '$')) j ORDER BY j.ord",
    rows: [['true'], ['1'], ['x']],
  },
  {
    title: 'JSON_TABLE without ERROR ON ERROR has no rows for broken text',
    sql: "SELECT j.v FROM JSON_TABLE(:broken, '$' COLUMNS (v VARCHAR2(10 CHAR) PATH '$.a')) j",
    binds: [inClob('BROKEN', '{"a":')],
    rows: [],
  },
  {
    title: 'JSON_TABLE with ERROR ON ERROR refuses broken text',
    sql: "SELECT j.v FROM JSON_TABLE(:broken, '$' ERROR ON ERROR COLUMNS (v VARCHAR2(10 CHAR) PATH '$.a')) j",
    binds: [inClob('BROKEN', '{"a":')],
    error: 40441,
  },
  {
    title: 'JSON_TABLE with ERROR ON ERROR alone refuses an absent member',
    sql: `SELECT j.v FROM JSON_TABLE('[{"b":1}]', '$[*]' ERROR ON ERROR COLUMNS (v VARCHAR2(10 CHAR) PATH '$.a')) j`,
    error: 40462,
  },
  {
    title: 'refuses ORDER BY a JSON value',
    sql: 'SELECT d.id FROM documents d ORDER BY d.body',
    error: [22848, 40796],
  },
  {
    title: 'refuses GROUP BY a JSON value',
    sql: 'SELECT COUNT(*) AS n FROM documents d GROUP BY d.body',
    error: [22848, 40796],
  },
  {
    title: 'refuses DISTINCT over a JSON value',
    sql: 'SELECT DISTINCT d.body FROM documents d',
    error: [22848, 40796],
  },
  {
    title: 'refuses a path without its dollar sign',
    sql: "SELECT JSON_VALUE(d.body, 'color') AS v FROM documents d",
    error: [40442, 40597],
  },
  {
    title: 'refuses a mode word that Oracle does not have',
    sql: "SELECT JSON_VALUE(d.body, 'strict $.color') AS v FROM documents d",
    error: [40442, 40597],
  },
  {
    title: 'ERROR ON ERROR for text that is no number',
    sql: "SELECT JSON_VALUE(d.body, '$.color' RETURNING NUMBER ERROR ON ERROR NULL ON EMPTY) AS v FROM documents d WHERE d.id = 'd1'",
    error: [1722, 40450],
  },
  {
    title: 'ERROR ON ERROR for a value above the length',
    sql: "SELECT JSON_VALUE(d.body, '$.color' RETURNING VARCHAR2(2) ERROR ON ERROR NULL ON EMPTY) AS v FROM documents d WHERE d.id = 'd1'",
    error: 40478,
  },
  {
    title: 'refuses the clauses on error and on empty in the wrong order',
    sql: "SELECT JSON_VALUE(d.body, '$.color' NULL ON EMPTY ERROR ON ERROR) AS v FROM documents d",
    error: [907, 40450],
  },
  {
    title: 'refuses NULL for a JSON column that needs a value',
    sql: "UPDATE documents SET body = NULL WHERE id = 'd1'",
    error: 1407,
  },
  documentsWhere('a boolean member as a condition', "JSON_VALUE(d.body, '$.flag' RETURNING BOOLEAN)", ['d2']),
  {
    title: 'refuses an empty text in a JSON column',
    sql: "INSERT INTO documents (id, body) VALUES ('none', '')",
    error: 1400,
  },
  {
    title: 'reads a JSON_TABLE column without PATH by its name as it is written',
    sql: `SELECT j.color, j."size" AS amount, j.SHADE FROM JSON_TABLE('[{"color":"red","size":3,"SHADE":"dark","COLOR":"x"}]', '$[*]' COLUMNS (color, "size" NUMBER, SHADE VARCHAR2(10))) j`,
    columns: ['COLOR', 'AMOUNT', 'SHADE'],
    rows: [['red', 3, 'dark']],
  },
  {
    title: 'nests JSON_TABLE columns two levels deep',
    sql: `SELECT j.* FROM JSON_TABLE('{"a":[{"b":1,"c":[{"d":"x"},{"d":"y"}]},{"b":2,"c":[]}]}', '$.a[*]' COLUMNS (ord FOR ORDINALITY, b NUMBER PATH '$.b', NESTED PATH '$.c[*]' COLUMNS (d VARCHAR2(5) PATH '$.d'))) j`,
    rows: [
      [1, 1, 'x'],
      [1, 1, 'y'],
      [2, 2, null],
    ],
  },
];
