import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OracleError } from '../../infra/local/oracle/sql/oracle-error.ts';
import { clob, RawDatabase, type TestBind } from './raw-database.ts';

let database: RawDatabase;
beforeAll(async () => {
  database = await RawDatabase.open();
});
afterAll(() => database.close());

const run = (sql: string, binds?: Readonly<Record<string, TestBind>>) => database.run(sql, binds);

/** SQLSTATE of an error that PostgreSQL raised and the engine maps. */
const sqlState = (code: string) => expect.objectContaining({ message: expect.stringMatching(`^${code}:`) });

describe('INSERT, UPDATE and DELETE', () => {
  beforeAll(async () => {
    await run(
      `CREATE TABLE item (id NUMBER(5) PRIMARY KEY, label VARCHAR2(5 CHAR), code VARCHAR2(4), price NUMBER(5,2) DEFAULT 9.5, body CLOB, at TIMESTAMP(3), day DATE, ok NUMBER(1) CHECK (ok IN (0, 1)), raw_id RAW(2))`,
    );
  });

  test('store values with Oracle rounding and defaults, and return them', async () => {
    expect(
      await run(
        `INSERT INTO item (id, label, at, day) VALUES (1.4, 'ä', TIMESTAMP '2024-01-01 00:00:00.9996', TIMESTAMP '2024-01-01 10:00:00.9') RETURNING id, price INTO :a, :b`,
      ),
    ).toEqual([['1', '9.50']]);
    expect(
      await run(
        `SELECT label, TO_CHAR(at, 'YYYY-MM-DD HH24:MI:SS.FF3'), TO_CHAR(day, 'HH24:MI:SS') FROM item`,
      ),
    ).toEqual([['ä', '2024-01-01 00:00:01.000', '10:00:00']]);
    await run(
      `UPDATE item i SET i.label = '', (price, code) = (SELECT 1.005, 'x' FROM dual), ok = DEFAULT WHERE i.id = 1`,
    );
    expect(await run(`SELECT label, price, code FROM item`)).toEqual([[null, '1.01', 'x']]);
    expect(await run(`DELETE item WHERE id = 1 RETURNING id INTO :x`)).toEqual([['1']]);
  });

  test.each([
    [
      `INSERT INTO item (id, label) VALUES (1, 'äöüäöü')`,
      12899,
      '"AGENT_MEMORY"."ITEM"."LABEL" (actual: 6, maximum: 5)',
    ],
    [
      `INSERT INTO item (id, code) VALUES (1, 'äöü')`,
      12899,
      '"AGENT_MEMORY"."ITEM"."CODE" (actual: 6, maximum: 4)',
    ],
    [`INSERT INTO item (id, label) SELECT 1, 'too long' FROM dual`, 12899, 'LABEL'],
    [`INSERT INTO item (id, price) VALUES (1, 1000)`, 1438, 'precision'],
    [
      `INSERT INTO item (id, code) SELECT 1, x FROM (SELECT NVL2(1, 'long text', 'b') x FROM dual)`,
      12899,
      'CODE',
    ],
    [
      `INSERT INTO item (id, code) SELECT 1, x FROM (SELECT 'a' x FROM dual UNION SELECT 'long text' FROM dual)`,
      12899,
      'CODE',
    ],
    [`INSERT INTO item (id) VALUES (8), (9) RETURNING id INTO :x`, 933, 'several'],
    [`INSERT INTO item (id, raw_id) VALUES (1, '0a0b0c')`, 12899, 'RAW_ID'],
    [`INSERT INTO item (id, day) VALUES (1, '2024-01-01')`, 1861, 'literal'],
    [`INSERT INTO item (id, price) VALUES (1, 'x')`, 1722, 'number'],
    [`INSERT INTO item (id, nope) VALUES (1, 2)`, 904, 'NOPE'],
    [`INSERT INTO item (id, id) VALUES (1, 2)`, 957, 'ID'],
    [`INSERT INTO item (id, label) VALUES (1)`, 947, 'not enough'],
    [`INSERT INTO item (id) VALUES (1, 2)`, 913, 'too many'],
    [`INSERT INTO item (id) VALUES (1) RETURNING id`, 925, 'INTO'],
    [`INSERT INTO item (id) VALUES (1) RETURNING id, label INTO :x`, 913, 'many'],
    [`INSERT INTO item (id) VALUES (1) ON CONFLICT DO NOTHING`, 933, 'ended'],
    [`INSERT ALL INTO item (id) VALUES (1) SELECT 1 FROM dual`, 3001, 'multi-table'],
    [`INSERT item (id) VALUES (1)`, 925, 'INTO'],
    [`INSERT INTO item (id) VALUES (COUNT(*))`, 934, 'group'],
    [`UPDATE item SET label = 'a', label = 'b'`, 957, 'LABEL'],
    [`UPDATE item label = 'a'`, 971, 'SET'],
    [`UPDATE item SET body = 'x' WHERE body = 'y'`, 932, 'CLOB'],
    [`DELETE FROM item LIMIT 1`, 933, 'ended'],
  ])('%s raises ORA-%d', async (sql, number, part) => {
    const error = await run(sql).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(OracleError);
    expect(error).toMatchObject({ number, message: expect.stringContaining(part) });
  });

  test('constraints are kept by PostgreSQL', async () => {
    await run(`INSERT INTO item (id, ok) VALUES (2, 1)`);
    await expect(run(`INSERT INTO item (id) VALUES (2)`)).rejects.toEqual(sqlState('23505'));
    await expect(run(`INSERT INTO item (id, ok) VALUES (3, 2)`)).rejects.toEqual(sqlState('23514'));
    await expect(run(`INSERT INTO item (id) VALUES ('')`)).rejects.toEqual(sqlState('23502'));
  });

  test('ROWNUM bounds a DELETE and an UPDATE', async () => {
    await run(`INSERT INTO item (id) SELECT 10 + COLUMN_ID FROM user_tab_columns WHERE table_name = 'ITEM'`);
    await run(`UPDATE item SET label = 'u' WHERE id > 10 AND ROWNUM <= 2`);
    expect(await run(`SELECT COUNT(*) FROM item WHERE label = 'u'`)).toEqual([['2']]);
    await run(`DELETE FROM item WHERE id > 10 AND ROWNUM <= :n`, { n: 5 });
    expect(await run(`SELECT COUNT(*) FROM item WHERE id > 10`)).toEqual([['4']]);
  });

  test('composite keys with NULL are duplicates unless all columns are NULL', async () => {
    await run(`CREATE TABLE pair (a NUMBER, b NUMBER, CONSTRAINT pair_u UNIQUE (a, b))`);
    await run(`INSERT INTO pair VALUES (NULL, NULL), (NULL, NULL), (1, NULL)`);
    await expect(run(`INSERT INTO pair VALUES (1, NULL)`)).rejects.toEqual(sqlState('23505'));
  });
});

describe('MERGE', () => {
  beforeAll(async () => {
    await run(`CREATE TABLE stock (sku VARCHAR2(8) PRIMARY KEY, qty NUMBER(5) NOT NULL, note CLOB)`);
    await run(`INSERT INTO stock (sku, qty) VALUES ('a', 1), ('b', 5), ('c', 7)`);
  });

  test('updates, deletes by new values and inserts', async () => {
    await run(
      `MERGE INTO stock s USING (SELECT j.sku, j.qty FROM JSON_TABLE(:d, '$[*]' COLUMNS (sku VARCHAR2(8) PATH '$.s', qty NUMBER PATH '$.q')) j) n
          ON (s.sku = n.sku)
        WHEN MATCHED THEN UPDATE SET s.qty = s.qty + n.qty WHERE n.qty <> 0 DELETE WHERE s.qty < 1
        WHEN NOT MATCHED THEN INSERT (sku, qty) VALUES (n.sku, n.qty) WHERE n.qty > 0`,
      { d: clob('[{"s":"a","q":-1},{"s":"b","q":2},{"s":"c","q":0},{"s":"d","q":4},{"s":"e","q":-4}]') },
    );
    expect(await run(`SELECT sku, qty FROM stock ORDER BY sku`)).toEqual([
      ['b', '7'],
      ['c', '7'],
      ['d', '4'],
    ]);
  });

  test.each([
    [`MERGE INTO stock s USING dual ON (s.sku = 'a') WHEN MATCHED THEN UPDATE SET s.sku = 'b'`, 38104],
    [`MERGE INTO stock s USING dual ON s.sku = 'a' WHEN MATCHED THEN UPDATE SET s.qty = 1`, 906],
    [
      `MERGE INTO stock s USING dual ON (s.sku = 'z') WHEN NOT MATCHED THEN INSERT (sku) VALUES ('x', 1)`,
      913,
    ],
  ])('%s raises ORA-%d', async (sql, number) => {
    await expect(run(sql)).rejects.toMatchObject({ number });
  });
});

describe('tables', () => {
  test('identity columns number rows by themselves', async () => {
    await run(`CREATE TABLE auto_a (id NUMBER GENERATED ALWAYS AS IDENTITY PRIMARY KEY, x VARCHAR2(5))`);
    await run(`CREATE TABLE auto_d (id NUMBER(10) GENERATED BY DEFAULT ON NULL AS IDENTITY, x VARCHAR2(5))`);
    await run(`INSERT INTO auto_a (x) VALUES ('a')`);
    await run(`INSERT INTO auto_d (id, x) VALUES (NULL, 'a')`);
    await run(`INSERT INTO auto_d (id, x) VALUES (50, 'b')`);
    expect(await run(`SELECT a.id, d.id FROM auto_a a, auto_d d ORDER BY d.id`)).toEqual([
      ['1', '1'],
      ['1', '50'],
    ]);
    await expect(run(`INSERT INTO auto_a (id, x) VALUES (1, 'b')`)).rejects.toMatchObject({ number: 32795 });
    await expect(run(`UPDATE auto_a SET id = 2`)).rejects.toMatchObject({ number: 32796 });
  });

  test('foreign keys, and what drops them', async () => {
    await run(`CREATE TABLE parent (id NUMBER PRIMARY KEY)`);
    await run(`CREATE TABLE child (id NUMBER CONSTRAINT child_fk REFERENCES parent ON DELETE CASCADE)`);
    await run(`INSERT INTO parent VALUES (1)`);
    await run(`INSERT INTO child VALUES (1)`);
    await expect(run(`INSERT INTO child VALUES (2)`)).rejects.toEqual(sqlState('23503'));
    await expect(run(`TRUNCATE TABLE parent`)).rejects.toMatchObject({ number: 2266 });
    await expect(run(`DROP TABLE parent`)).rejects.toMatchObject({ number: 2449 });
    await run(`DELETE FROM parent`);
    expect(await run(`SELECT COUNT(*) FROM child`)).toEqual([['0']]);
    await run(`DROP TABLE parent CASCADE CONSTRAINTS PURGE`);
    await run(`INSERT INTO child VALUES (2)`);
    expect(await run(`SELECT COUNT(*) FROM user_constraints WHERE table_name = 'CHILD'`)).toEqual([['0']]);
  });

  test('ALTER TABLE changes what the translator knows', async () => {
    await run(`CREATE TABLE wide (a VARCHAR2(10), b NUMBER(5))`);
    await run(`INSERT INTO wide VALUES ('0123456789', NULL)`);
    await run(`ALTER TABLE wide ADD (c DATE DEFAULT SYSDATE NOT NULL, d CLOB)`);
    await run(`ALTER TABLE wide ADD CONSTRAINT wide_ck CHECK (b > 0)`);
    await run(`ALTER TABLE wide RENAME COLUMN a TO e`);
    await run(`ALTER TABLE wide MODIFY (e VARCHAR2(20 CHAR) NOT NULL)`);
    await run(`ALTER TABLE wide DROP COLUMN d`);
    expect(database.catalog.table('WIDE')?.columns.map(({ name, nullable }) => [name, nullable])).toEqual([
      ['E', false],
      ['B', true],
      ['C', false],
    ]);
    await expect(run(`ALTER TABLE wide MODIFY (e VARCHAR2(5))`)).rejects.toMatchObject({ number: 1441 });
    await expect(run(`ALTER TABLE wide MODIFY (b NOT NULL)`)).rejects.toMatchObject({ number: 2296 });
    await expect(run(`INSERT INTO wide (e, b) VALUES ('x', 0)`)).rejects.toEqual(sqlState('23514'));
    await run(`ALTER TABLE wide DROP CONSTRAINT wide_ck`);
    await run(`INSERT INTO wide (e, b) VALUES ('x', 0)`);
  });

  test('identifiers may be quoted and as long as Oracle allows', async () => {
    const long = 'n'.repeat(128);
    await run(`CREATE TABLE "Odd Name" ("a""b" NUMBER, ${long} NUMBER)`.replace('"a""b"', '"a.b"'));
    await run(`INSERT INTO "Odd Name" ("a.b", ${long}) VALUES (1, 2)`);
    expect(await run(`SELECT t."a.b", t.${long} FROM "Odd Name" t`)).toEqual([['1', '2']]);
  });

  test('CREATE TABLE AS SELECT, views, comments and IF EXISTS forms', async () => {
    await run(`CREATE TABLE copy AS SELECT sku, qty * 2 AS twice FROM stock`);
    await run(`CREATE OR REPLACE VIEW big (name) AS SELECT sku FROM copy WHERE twice > 10`);
    expect(await run(`SELECT name FROM big ORDER BY 1`)).toEqual([['b'], ['c']]);
    await run(`COMMENT ON COLUMN copy.sku IS 'it''s'`);
    await run(`CREATE TABLE IF NOT EXISTS copy (x NUMBER)`);
    await run(`DROP VIEW big`);
    await run(`DROP TABLE IF EXISTS copy`);
    await run(`DROP TABLE IF EXISTS copy`);
  });

  test.each([
    [`CREATE TABLE bad (a VARCHAR2)`, 906],
    [`CREATE TABLE bad (a VARCHAR2(5000))`, 910],
    [`CREATE TABLE bad (a TEXT)`, 902],
    [`CREATE TABLE bad (a SERIAL)`, 902],
    [`CREATE TABLE bad (a NUMBER, a NUMBER)`, 957],
    [`CREATE TABLE bad (size NUMBER)`, 904],
    [`CREATE TABLE bad (comment VARCHAR2(5))`, 904],
    [`CREATE TABLE table (a NUMBER)`, 903],
    [`CREATE TABLE stock (a NUMBER)`, 955],
    [`CREATE TABLE bad (a CLOB PRIMARY KEY)`, 2329],
    [`CREATE TABLE bad (a TIMESTAMP WITH TIME ZONE UNIQUE)`, 2329],
    [`CREATE TABLE bad (a NUMBER PRIMARY KEY, b NUMBER, PRIMARY KEY (b))`, 2260],
    [`CREATE TABLE bad (a NUMBER REFERENCES nope)`, 942],
    [`CREATE TABLE bad (a NUMBER REFERENCES stock (qty))`, 2270],
    [`CREATE TABLE bad (a VARCHAR2(8), CHECK (b > 1))`, 904],
    [`CREATE TABLE bad (a DATE CHECK (a > SYSDATE))`, 2436],
    [`CREATE TABLE bad (a NUMBER DEFAULT :x)`, 1027],
    [`CREATE TABLE bad (${'n'.repeat(129)} NUMBER)`, 972],
    [`CREATE TABLE bad (a NUMBER(39))`, 1727],
    [`CREATE TABLE bad (v VECTOR(0))`, 51801],
    [`CREATE TABLE bad (v VECTOR(3, FLOAT16))`, 51802],
    [`ALTER TABLE stock ADD (qty NUMBER)`, 1430],
    [`ALTER TABLE stock DROP CONSTRAINT nope`, 2443],
    [`ALTER TABLE stock MODIFY (qty VARCHAR2(5))`, 1439],
    [`DROP TABLE nope`, 942],
    [`DROP SEQUENCE nope`, 2289],
    [`DROP INDEX nope`, 1418],
  ])('%s raises ORA-%d', async (sql, number) => {
    await expect(run(sql)).rejects.toMatchObject({ number });
  });
});

describe('indexes', () => {
  beforeAll(async () => {
    await run(
      `CREATE TABLE page (id NUMBER PRIMARY KEY, title VARCHAR2(50 CHAR), txt CLOB, md JSON, v VECTOR(2, FLOAT32))`,
    );
    await run(
      `INSERT INTO page (id, title, txt) VALUES (1, 'A', 'The quick-brown fox, user@example.com'), (2, 'B', '東京都の天気予報'), (3, 'C', 'quick quick fox'), (4, 'D', NULL)`,
    );
  });

  test('a text index makes CONTAINS and SCORE work', async () => {
    await expect(run(`SELECT id FROM page WHERE CONTAINS(txt, 'quick') > 0`)).rejects.toMatchObject({
      number: 20000,
    });
    await run(
      `CREATE INDEX page_txt ON page (txt) INDEXTYPE IS CTXSYS.CONTEXT PARAMETERS ('SYNC (ON COMMIT)')`,
    );
    const found = async (query: string) =>
      (
        await run(
          `SELECT p.id, SCORE(1) AS s FROM page p WHERE CONTAINS(p.txt, :q, 1) > 0 ORDER BY s DESC, p.id`,
          { q: query },
        )
      ).map(([id]) => id);
    expect(await found('{quick}')).toEqual(['3', '1']);
    expect(await found('{brown} AND {fox}')).toEqual(['1']);
    expect(await found('{brown} ACCUM {天気}')).toEqual(['1', '2']);
    expect(await found('{example}')).toEqual(['1']);
    expect(await found('{東京}')).toEqual(['2']);
    expect(await found('{京}')).toEqual(['2']);
    expect(await found('quick NOT brown')).toEqual(['3']);
    await run(`INSERT INTO page (id, txt) VALUES (9, :t)`, { t: `${'x'.repeat(255)}y 5e3abc` });
    expect(await found(`{${'x'.repeat(255)}z} AND {5e3abc}`)).toEqual(['9']);
    expect(await found('{5e3}')).toEqual([]);
    await run(`DELETE FROM page WHERE id = 9`);
    await expect(found('{quick} AND')).rejects.toMatchObject({ number: 29902 });
    await expect(found('quick%')).rejects.toMatchObject({ number: 29902 });
    await expect(run(`SELECT SCORE(2) FROM page WHERE CONTAINS(txt, 'fox', 1) > 0`)).rejects.toMatchObject({
      number: 29908,
    });
    await run(`DROP INDEX page_txt`);
    await run(`CREATE SEARCH INDEX IF NOT EXISTS page_txt ON page (txt)`);
    expect(database.catalog.textIndex('PAGE', 'TXT')?.name).toBe('PAGE_TXT');
    expect(await run(`SELECT * FROM page WHERE id = 1`)).toHaveLength(1);
  });

  test.each([
    `CREATE INDEX page_title ON page (title DESC, id)`,
    `CREATE INDEX page_upper ON page (UPPER(title))`,
    `CREATE UNIQUE INDEX page_u ON page (title)`,
    `CREATE SEARCH INDEX page_md ON page (md) FOR JSON`,
    `CREATE VECTOR INDEX IF NOT EXISTS page_v ON page (v) ORGANIZATION INMEMORY NEIGHBOR GRAPH DISTANCE COSINE WITH TARGET ACCURACY 95 PARAMETERS (type HNSW, neighbors 32, efconstruction 300)`,
  ])('%s', async (sql) => {
    await run(sql);
    const name = /(page_\w+)/.exec(sql)?.[1]?.toUpperCase() ?? '';
    expect(database.catalog.index(name)).toMatchObject({ table: 'PAGE' });
    await run(`DROP INDEX ${name}`);
    expect(database.catalog.index(name)).toBeUndefined();
  });

  test('CREATE VECTOR INDEX with partitions builds nothing', () => {
    const { steps, changes } = database.translate(
      `CREATE VECTOR INDEX ivf ON page (v) ORGANIZATION NEIGHBOR PARTITIONS DISTANCE DOT WITH TARGET ACCURACY 90 PARAMETERS (type IVF, neighbor partitions 100)`,
    );
    expect(steps).toEqual([]);
    expect(changes).toEqual([
      { kind: 'index', index: { name: 'IVF', table: 'PAGE', columns: ['V'], kind: 'VECTOR' } },
    ]);
  });

  test.each([
    [`CREATE INDEX i ON page (txt)`, 2327],
    [`CREATE INDEX i ON page (id)`, 1408],
    [`CREATE INDEX i ON page (nope)`, 904],
    [`CREATE INDEX i ON nope (id)`, 942],
    [`CREATE VECTOR INDEX i ON page (title)`, 51904],
  ])('%s raises ORA-%d', async (sql, number) => {
    await expect(run(sql)).rejects.toMatchObject({ number });
  });
});

test('the prelude runs again on a database that uses it', async () => {
  await run(`CREATE VIEW uses_dual AS SELECT d.dummy FROM dual d`);
  await run(`CREATE TABLE searched (txt CLOB, label VARCHAR2(5) DEFAULT UPPER('x'))`);
  await run(`CREATE SEARCH INDEX searched_txt ON searched (txt)`);
  await database.installPrelude();
  expect(await run(`SELECT dummy FROM uses_dual`)).toEqual([['X']]);
});

test('a text index of an older directory learns which transaction wrote a text', async () => {
  await run(`CREATE TABLE older (txt CLOB)`);
  await run(`CREATE SEARCH INDEX older_txt ON older (txt) PARAMETERS ('SYNC (ON COMMIT)')`);
  await run(`INSERT INTO older (txt) VALUES ('an old oak')`);
  await database.execute('ALTER TABLE "OLDER" DROP COLUMN "TXT$since"');
  await database.installPrelude();
  await run(`INSERT INTO older (txt) VALUES ('a young oak')`);
  await run(`UPDATE older o SET o.txt = 'an old elm' WHERE o.txt LIKE '%old oak'`);
  expect(await run(`SELECT o.txt FROM older o WHERE CONTAINS(o.txt, '{oak} OR {elm}') > 0`)).toHaveLength(2);
});
