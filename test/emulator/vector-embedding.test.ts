import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createOracleEngine } from '../../infra/local/oracle/engine/create-oracle-engine.ts';
import type {
  EmbeddingModel,
  OracleEngine,
  OracleSession,
} from '../../infra/local/oracle/engine/oracle-engine.ts';
import { errorOf, input, NUMBER, output, TEXT } from './engine-fixture.ts';

/** A vector that says which text it was made of: its length, and how often it has an a. */
function markedModel(): EmbeddingModel & { readonly calls: string[][] } {
  const calls: string[][] = [];
  return {
    dimensions: 2,
    calls,
    async embed(texts) {
      calls.push([...texts]);
      return texts.map((text) => Float32Array.of(text.length, text.split('a').length - 1));
    },
  };
}

const CLOB = { kind: 'CLOB' } as const;

describe('VECTOR_EMBEDDING in the emulator', () => {
  const model = markedModel();
  let engine: OracleEngine;
  let session: OracleSession;
  beforeAll(async () => {
    engine = await createOracleEngine({ embeddingModels: new Map([['MARKS', model]]) });
    session = engine.openSession();
    await session.execute(
      'CREATE TABLE leaves (leaf_id NUMBER(6) NOT NULL, words CLOB, mark VECTOR(2, FLOAT32), CONSTRAINT leaves_pk PRIMARY KEY (leaf_id))',
      [],
    );
  });
  afterEach(() => session.rollback());
  afterAll(() => engine?.close());

  const rows = async (sql: string, ...binds: Parameters<OracleSession['execute']>[1]) =>
    (await session.execute(sql, binds)).rows;

  it('embeds a bind once, however many rows are compared with it', async () => {
    await session.execute(
      "INSERT INTO leaves (leaf_id, mark) SELECT d.id, TO_VECTOR('[3, 1]', 2, FLOAT32) FROM (SELECT 1 AS id FROM dual UNION ALL SELECT 2 FROM dual) d",
      [],
    );
    model.calls.length = 0;
    const found = await rows(
      'SELECT l.leaf_id AS id, VECTOR_DISTANCE(l.mark, VECTOR_EMBEDDING(marks USING :query AS DATA), EUCLIDEAN) AS distance FROM leaves l ORDER BY 1',
      input('QUERY', TEXT, 'oak'),
    );
    expect(found).toEqual([
      [1, 0],
      [2, 0],
    ]);
    expect(model.calls).toEqual([['oak']]);
  });

  it('embeds a literal, and what a statement makes of its binds', async () => {
    expect(
      await rows(
        "SELECT FROM_VECTOR(VECTOR_EMBEDDING(marks USING 'papaya' AS DATA)) AS a, FROM_VECTOR(VECTOR_EMBEDDING(marks USING :one || 'na' AS DATA)) AS b FROM dual",
        input('ONE', TEXT, 'bana'),
      ),
    ).toEqual([['[6,3]', '[6,3]']]);
    expect(
      await rows("SELECT VECTOR_DIMENSION_COUNT(VECTOR_EMBEDDING(marks USING 'x' AS DATA)) AS n FROM dual"),
    ).toEqual([[2]]);
  });

  it('embeds the values of rows: INSERT … SELECT from JSON, UPDATE, WHERE and ORDER BY', async () => {
    await session.execute(
      `INSERT INTO leaves (leaf_id, words, mark)
SELECT j.id, j.words, CASE WHEN j.mark IS NULL THEN VECTOR_EMBEDDING(marks USING j.words AS DATA) ELSE TO_VECTOR(j.mark, 2, FLOAT32) END
FROM JSON_TABLE(:leaves, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
  id NUMBER PATH '$.id', words CLOB PATH '$.words', mark CLOB PATH '$.mark')) j`,
      [
        input(
          'LEAVES',
          CLOB,
          JSON.stringify([
            { id: 1, words: 'banana' },
            { id: 2, words: 'oak' },
            { id: 3, words: 'given', mark: '[7, 7]' },
          ]),
        ),
      ],
    );
    const marks = () => rows('SELECT FROM_VECTOR(l.mark) AS mark FROM leaves l ORDER BY l.leaf_id');
    expect(await marks()).toEqual([['[6,3]'], ['[3,1]'], ['[7,7]']]);
    await session.execute(
      "UPDATE leaves l SET l.mark = VECTOR_EMBEDDING(marks USING l.words || 'aa' AS DATA) WHERE l.leaf_id > 1",
      [],
    );
    expect(await marks()).toEqual([['[6,3]'], ['[5,3]'], ['[7,2]']]);
    expect(
      await rows(
        'SELECT l.leaf_id AS id FROM leaves l WHERE VECTOR_NORM(VECTOR_EMBEDDING(marks USING l.words AS DATA)) < 6 ORDER BY VECTOR_DISTANCE(VECTOR_EMBEDDING(marks USING l.words AS DATA), VECTOR_EMBEDDING(marks USING :q AS DATA), EUCLIDEAN)',
        input('Q', TEXT, 'aaaaa'),
      ),
    ).toEqual([[2], [3]]);
    await session.rollback();
    expect(await marks()).toEqual([]);
  });

  it('runs in a block, where a failure undoes all of it', async () => {
    const block = `BEGIN
  INSERT INTO leaves (leaf_id, words, mark) VALUES (1, :words, VECTOR_EMBEDDING(marks USING :words AS DATA));
  UPDATE leaves l SET l.mark = VECTOR_EMBEDDING(marks USING l.words || 'a' AS DATA);
  :changed := SQL%ROWCOUNT;
  INSERT INTO leaves (leaf_id, words) VALUES (:second, 'second');
END;`;
    const run = (second: number) =>
      session.execute(block, [
        input('WORDS', TEXT, 'banana'),
        output('CHANGED', NUMBER),
        input('SECOND', NUMBER, second),
      ]);
    expect((await errorOf(run(1))).number).toBe(1);
    expect(await rows('SELECT l.leaf_id AS id FROM leaves l')).toEqual([]);
    expect((await run(2)).outBinds).toEqual({ CHANGED: 1 });
    expect(await rows('SELECT FROM_VECTOR(l.mark) AS mark FROM leaves l WHERE l.leaf_id = 1')).toEqual([
      ['[7,4]'],
    ]);
  });

  it('reports the failure of the statement, not of the run that looked for texts', async () => {
    const insert =
      "INSERT INTO leaves (leaf_id, words, mark) VALUES (1, 'a', VECTOR_EMBEDDING(marks USING 'a' || 'b' AS DATA))";
    await session.execute(insert, []);
    expect((await errorOf(session.execute(insert, []))).number).toBe(1);
    expect(await rows('SELECT FROM_VECTOR(l.mark) AS mark FROM leaves l')).toEqual([['[2,1]']]);
  });

  it.each([
    ['an unknown model', "SELECT VECTOR_EMBEDDING(oaks USING 'x' AS DATA) AS v FROM dual", 40284],
    [
      'a model of another schema',
      "SELECT VECTOR_EMBEDDING(hr.marks USING 'x' AS DATA) AS v FROM dual",
      40284,
    ],
    ['all columns as input', 'SELECT VECTOR_EMBEDDING(marks USING *) AS v FROM dual', 3001],
    ['an input under another name', "SELECT VECTOR_EMBEDDING(marks USING 'x' AS words) AS v FROM dual", 3001],
    ['no USING', "SELECT VECTOR_EMBEDDING(marks, 'x') AS v FROM dual", 905],
    ['NULL', 'SELECT VECTOR_EMBEDDING(marks USING NULL AS DATA) AS v FROM dual', 3001],
    [
      'more than VARCHAR2 holds',
      "SELECT VECTOR_EMBEDDING(marks USING TO_CLOB(RPAD('x', 4000, 'x')) || TO_CLOB('x') AS DATA) AS v FROM dual",
      22835,
    ],
    [
      'a view',
      "CREATE VIEW marked AS SELECT VECTOR_EMBEDDING(marks USING 'x' AS DATA) AS mark FROM dual",
      3001,
    ],
    [
      'another width than the column has',
      "INSERT INTO wide (mark) VALUES (VECTOR_EMBEDDING(marks USING 'x' AS DATA))",
      51803,
    ],
  ])('refuses %s', async (_what, sql, number) => {
    await session.execute('CREATE TABLE IF NOT EXISTS wide (mark VECTOR(3, FLOAT32))', []);
    expect((await errorOf(session.execute(sql, []))).number).toBe(number);
  });

  it('refuses a text that changes while it is asked for', async () => {
    const sql = 'SELECT VECTOR_EMBEDDING(marks USING RAWTOHEX(SYS_GUID()) AS DATA) AS v FROM dual';
    expect((await errorOf(session.execute(sql, []))).number).toBe(3001);
  });
});
