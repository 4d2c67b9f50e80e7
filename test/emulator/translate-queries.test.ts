import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clob, RawDatabase, type TestBind } from './raw-database.ts';

let database: RawDatabase;
beforeAll(async () => {
  database = await RawDatabase.open();
  const script = [
    `CREATE TABLE dept (dept_no NUMBER(4) CONSTRAINT dept_pk PRIMARY KEY, dname VARCHAR2(14 CHAR) NOT NULL, loc VARCHAR2(13))`,
    `CREATE TABLE emp (
       emp_no NUMBER(6) PRIMARY KEY, ename VARCHAR2(10 CHAR), job VARCHAR2(9), mgr NUMBER(6), hired DATE, sal NUMBER(7,2), comm NUMBER(7,2),
       dept_no NUMBER(4) REFERENCES dept (dept_no), notes CLOB, md JSON, at TIMESTAMP(3) WITH TIME ZONE, v VECTOR(2, FLOAT32))`,
    `INSERT INTO dept (dept_no, dname, loc) VALUES (10, 'ACCOUNTING', 'NEW YORK'), (20, 'RESEARCH', 'DALLAS'), (30, 'SALES', NULL)`,
    `INSERT INTO emp (emp_no, ename, job, mgr, hired, sal, comm, dept_no, notes, md, v)
     SELECT 1, 'KING', 'PRESIDENT', NULL, DATE '1981-11-17', 5000, NULL, 10, 'boss', JSON('{"tags":["a","b"],"n":1}'), TO_VECTOR('[1,0]') FROM dual
     UNION ALL SELECT 2, 'BLAKE', 'MANAGER', 1, DATE '1981-05-01', 2850, NULL, 30, NULL, JSON('{"tags":[]}'), TO_VECTOR('[0,1]') FROM dual
     UNION ALL SELECT 3, 'FORD', 'ANALYST', 2, DATE '1981-12-03', 3000, NULL, 20, 'x', NULL, TO_VECTOR('[1,1]') FROM dual
     UNION ALL SELECT 4, 'WARD', 'SALESMAN', 2, DATE '1981-02-22', 1250, 500, 30, NULL, JSON('{"n":2}'), NULL FROM dual`,
    `CREATE SEQUENCE ids START WITH 10 INCREMENT BY 5`,
  ];
  for (const statement of script) {
    await database.run(statement);
  }
});
afterAll(() => database.close());

type Case = readonly [
  sql: string,
  rows: readonly (readonly (string | null)[])[],
  binds?: Readonly<Record<string, TestBind>>,
];

const QUERIES: readonly Case[] = [
  [
    `SELECT ename FROM emp WHERE (emp_no, '30') IN (SELECT emp_no, dept_no FROM emp) ORDER BY 1`,
    [['BLAKE'], ['WARD']],
  ],
  [
    `SELECT CASE WHEN ROW_NUMBER() OVER (ORDER BY sal DESC) = 1 THEN 'top' END t FROM emp ORDER BY sal DESC FETCH FIRST 1 ROWS ONLY`,
    [['top']],
  ],
  [
    `SELECT d.dname, (SELECT COUNT(*) FROM emp e, JSON_TABLE(e.md, '$.tags[*]' COLUMNS (t VARCHAR2(5) PATH '$')) j) n FROM dept d GROUP BY d.dname ORDER BY 1 FETCH FIRST 1 ROWS ONLY`,
    [['ACCOUNTING', '2']],
  ],
  [`SELECT SUM(SUM(sal)) OVER () s FROM emp GROUP BY dept_no FETCH FIRST 1 ROWS ONLY`, [['12100.00']]],
  [`SELECT CASE WHEN emp_no = 1 THEN ids.NEXTVAL END FROM emp WHERE emp_no = 2`, [[null]]],
  [`SELECT ename FROM emp ORDER BY comm, emp_no DESC`, [['WARD'], ['FORD'], ['BLAKE'], ['KING']]],
  [
    `SELECT ename, comm FROM emp ORDER BY comm DESC NULLS LAST, 1 FETCH FIRST 2 ROWS ONLY`,
    [
      ['WARD', '500.00'],
      ['BLAKE', null],
    ],
  ],
  [
    `SELECT e.ename, d.dname FROM emp e, dept d WHERE e.dept_no = d.dept_no AND d.loc IS NULL ORDER BY e.ename`,
    [
      ['BLAKE', 'SALES'],
      ['WARD', 'SALES'],
    ],
  ],
  [
    `SELECT d.dname, COUNT(e.emp_no) n FROM dept d LEFT OUTER JOIN emp e ON e.dept_no = d.dept_no AND e.sal > 2900 GROUP BY d.dname ORDER BY n DESC, d.dname`,
    [
      ['ACCOUNTING', '1'],
      ['RESEARCH', '1'],
      ['SALES', '0'],
    ],
  ],
  [
    `SELECT dept_no, dname, ename FROM dept JOIN emp USING (dept_no) WHERE emp_no = 1`,
    [['10', 'ACCOUNTING', 'KING']],
  ],
  [`SELECT COUNT(*) FROM emp CROSS JOIN dept`, [['12']]],
  [
    `SELECT a.ename, b.ename FROM emp a FULL OUTER JOIN emp b ON a.mgr = b.emp_no WHERE a.emp_no = 1 OR b.emp_no = 1 ORDER BY a.emp_no`,
    [
      ['KING', null],
      ['BLAKE', 'KING'],
    ],
  ],
  [
    `SELECT job, SUM(sal), AVG(comm) FROM emp GROUP BY job HAVING SUM(sal) > 2900 ORDER BY job`,
    [
      ['ANALYST', '3000.00', null],
      ['PRESIDENT', '5000.00', null],
    ],
  ],
  [
    `SELECT UPPER(job) || '!' j, COUNT(*) FROM emp GROUP BY UPPER(job) HAVING COUNT(*) = 1 ORDER BY UPPER(job) FETCH NEXT 1 ROW ONLY`,
    [['ANALYST!', '1']],
  ],
  [
    `SELECT ename FROM (SELECT ename, sal FROM emp ORDER BY sal DESC) WHERE ROWNUM <= 2`,
    [['KING'], ['FORD']],
  ],
  [`SELECT COUNT(*) FROM emp WHERE sal > 1 AND ROWNUM <= 3`, [['3']]],
  [`SELECT ename FROM emp WHERE emp_no IN (SELECT mgr FROM emp) ORDER BY ename`, [['BLAKE'], ['KING']]],
  [`SELECT ename FROM emp WHERE emp_no NOT IN (SELECT mgr FROM emp)`, []],
  [
    `SELECT ename FROM emp e WHERE NOT EXISTS (SELECT 1 FROM emp m WHERE m.mgr = e.emp_no) AND e.sal > ALL (SELECT sal FROM emp WHERE job = 'SALESMAN')`,
    [['FORD']],
  ],
  [
    `SELECT ename FROM emp WHERE (dept_no, job) IN (SELECT dept_no, job FROM emp WHERE sal < 2000)`,
    [['WARD']],
  ],
  [
    `SELECT (SELECT MAX(d.dname) FROM dept d WHERE d.dept_no = e.dept_no) name FROM emp e WHERE e.emp_no = 3`,
    [['RESEARCH']],
  ],
  [
    `WITH s AS (SELECT dept_no, SUM(sal) total FROM emp GROUP BY dept_no), t (d, amount) AS (SELECT dept_no, total FROM s) SELECT d, amount FROM t WHERE amount > 4000 ORDER BY amount`,
    [
      ['30', '4100.00'],
      ['10', '5000.00'],
    ],
  ],
  [
    `WITH r (n) AS (SELECT 1 FROM dual UNION ALL SELECT n + 1 FROM r WHERE n < 4) SELECT SUM(n) FROM r`,
    [['10']],
  ],
  [`SELECT dept_no FROM dept MINUS SELECT dept_no FROM emp WHERE sal > 2900`, [['30']]],
  [`SELECT dept_no FROM dept INTERSECT SELECT dept_no FROM emp ORDER BY 1 DESC`, [['30'], ['20'], ['10']]],
  [
    `SELECT 'a' x, NULL y FROM dual UNION SELECT 'b', 1 FROM dual ORDER BY x DESC`,
    [
      ['b', '1'],
      ['a', null],
    ],
  ],
  [
    `SELECT ename, ROW_NUMBER() OVER (PARTITION BY dept_no ORDER BY sal DESC) rn FROM emp ORDER BY emp_no`,
    [
      ['KING', '1'],
      ['BLAKE', '1'],
      ['FORD', '1'],
      ['WARD', '2'],
    ],
  ],
  [
    `SELECT ename, SUM(sal) OVER (ORDER BY sal ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) s, LAG(ename, 1, '-') OVER (ORDER BY sal) p FROM emp ORDER BY sal FETCH FIRST 2 ROWS ONLY`,
    [
      ['WARD', '1250.00', '-'],
      ['BLAKE', '4100.00', 'WARD'],
    ],
  ],
  [
    `SELECT COUNT(*) OVER () / 3 FROM emp WHERE emp_no < 3`,
    [['0.6666666666666666666666666666666666666667'], ['0.6666666666666666666666666666666666666667']],
  ],
  [`SELECT RANK() OVER (ORDER BY SUM(sal)) FROM emp GROUP BY dept_no ORDER BY 1`, [['1'], ['2'], ['3']]],
  [`SELECT LISTAGG(ename, ', ') WITHIN GROUP (ORDER BY ename DESC) FROM emp`, [['WARD, KING, FORD, BLAKE']]],
  [`SELECT MEDIAN(sal), COUNT(DISTINCT dept_no), MAX(hired) - MIN(hired) FROM emp`, [['2925', '3', '284']]],
  [
    `SELECT CASE job WHEN 'MANAGER' THEN 'm' ELSE LOWER(job) END FROM emp WHERE sal BETWEEN 2850 AND 3000 ORDER BY 1`,
    [['analyst'], ['m']],
  ],
  [`SELECT "Mixed" FROM (SELECT ename AS "Mixed" FROM emp WHERE emp_no = 1)`, [['KING']]],
  [
    `SELECT ename FROM emp ORDER BY emp_no OFFSET 1 ROW FETCH NEXT :n ROWS ONLY`,
    [['BLAKE'], ['FORD']],
    { n: 2 },
  ],
  [`SELECT sal FROM emp ORDER BY TRUNC(sal, -3) DESC FETCH FIRST 1 ROWS WITH TIES`, [['5000.00']]],
  [`SELECT DISTINCT dept_no FROM emp ORDER BY dept_no`, [['10'], ['20'], ['30']]],
  [
    `SELECT j.t, j.pos FROM emp e, JSON_TABLE(e.md, '$.tags[*]' COLUMNS (pos FOR ORDINALITY, t VARCHAR2(5) PATH '$')) j WHERE e.emp_no = 1 ORDER BY 2`,
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    `SELECT x, y, has FROM JSON_TABLE(:d, '$[*]' COLUMNS (x NUMBER PATH '$.x', has NUMBER EXISTS PATH '$.x', NESTED PATH '$.ys[*]' COLUMNS (y VARCHAR2(9) PATH '$.v'))) ORDER BY x, y`,
    [
      ['1', 'p', '1'],
      ['1', 'q', '1'],
      [null, null, '0'],
    ],
    { d: clob('[{"x":1,"ys":[{"v":"p"},{"v":"q"}]},{"z":1}]') },
  ],
  [
    `SELECT j.b, j.f FROM JSON_TABLE('{"b":true,"f":{"k" : [1]}}', '$' COLUMNS (b VARCHAR2(5) PATH '$.b', f VARCHAR2(99) FORMAT JSON PATH '$.f')) j`,
    [['true', '{"k":[1]}']],
  ],
  [
    `SELECT JSON_ARRAYAGG(JSON_OBJECT('n' VALUE ename RETURNING CLOB) FORMAT JSON ORDER BY emp_no RETURNING CLOB) FROM emp WHERE sal < 2900`,
    [['[{"n":"BLAKE"},{"n":"WARD"}]']],
  ],
  [`SELECT JSON_OBJECTAGG(KEY ename VALUE sal) FROM emp WHERE emp_no = 4`, [['{"WARD":1250}']]],
  [`SELECT ename FROM emp WHERE JSON_VALUE(md, '$.n' RETURNING NUMBER) = 2`, [['WARD']]],
  [
    `SELECT ename FROM emp WHERE v IS NOT NULL ORDER BY VECTOR_DISTANCE(v, TO_VECTOR(:q, 2, FLOAT32), COSINE) FETCH APPROX FIRST 1 ROWS ONLY WITH TARGET ACCURACY 90`,
    [['FORD']],
    { q: '[2,2]' },
  ],
  [`SELECT ename FROM emp ORDER BY v <-> TO_VECTOR('[1,0]') FETCH EXACT FIRST 1 ROWS ONLY`, [['KING']]],
  [`SELECT ids.NEXTVAL FROM dual`, [['10']]],
  [`SELECT ids.NEXTVAL, ids.CURRVAL + ids.NEXTVAL FROM dual`, [['15', '30']]],
  [`SELECT ename FROM emp WHERE emp_no = 1 FOR UPDATE SKIP LOCKED`, [['KING']]],
  [`SELECT COUNT(*) FROM emp WHERE ename = :missing`, [['0']], { missing: '' }],
  [`SELECT COUNT(*) FROM emp WHERE DECODE(comm, :c, 1, 0) = 1`, [['3']], { c: null }],
  [`SELECT table_name FROM user_tables ORDER BY table_name`, [['DEPT'], ['EMP']]],
  [
    `SELECT column_name, data_type, nullable FROM user_tab_columns WHERE table_name = 'DEPT' ORDER BY column_id`,
    [
      ['DEPT_NO', 'NUMBER', 'N'],
      ['DNAME', 'VARCHAR2', 'N'],
      ['LOC', 'VARCHAR2', 'Y'],
    ],
  ],
  [`SELECT index_name, uniqueness FROM user_indexes WHERE table_name = 'DEPT'`, [['DEPT_PK', 'UNIQUE']]],
];

describe('queries', () => {
  for (const [sql, rows, binds = {}] of QUERIES) {
    test(sql, async () => {
      expect(await database.run(sql, binds)).toEqual(rows);
    });
  }
});

/** Statements that Oracle refuses, with its number. */
const REFUSED: readonly (readonly [string, number])[] = [
  [`SELECT ename FROM emp GROUP BY ename HAVING ROW_NUMBER() OVER (ORDER BY ename) = 1`, 30483],
  [`SELECT e.ename FROM emp e JOIN dept d ON RANK() OVER (ORDER BY d.dname) = 1`, 30483],
  [`SELECT ename FROM emp WHERE ids.NEXTVAL = 1`, 2287],
  [`SELECT ename FROM emp WHERE ROWNUM <= sal`, 3001],
  [`SELECT ename FROM emp WHERE (emp_no, notes) IN (SELECT 1, 'x' FROM dual)`, 932],
  [`SELECT DISTINCT ids.NEXTVAL FROM dual`, 2287],
  [`SELECT * FROM nope`, 942],
  [`SELECT nope FROM emp`, 904],
  [`SELECT e.nope FROM emp e`, 904],
  [`SELECT dept_no FROM emp, dept`, 918],
  [`SELECT ename FROM emp LIMIT 1`, 933],
  [`SELECT sal::text FROM emp`, 923],
  [`SELECT ename FROM emp AS e`, 933],
  [`SELECT ename FROM emp WHERE ename ILIKE 'k%'`, 933],
  [`SELECT ename FROM emp;`, 911],
  [`SELECT DISTINCT ON (ename) ename FROM emp`, 936],
  [`SELECT ename FROM emp FETCH FIRST 1 ROWS ONLY FOR UPDATE`, 2014],
  [`SELECT DISTINCT ename FROM emp FOR UPDATE`, 2014],
  [`SELECT ename date FROM emp`, 923],
  [`SELECT level FROM emp`, 3001],
  [`SELECT ename FROM emp WHERE notes = 'x'`, 932],
  [`SELECT ename FROM emp ORDER BY notes`, 932],
  [`SELECT DISTINCT notes FROM emp`, 932],
  [`SELECT notes FROM emp GROUP BY notes`, 932],
  [`SELECT notes FROM emp UNION SELECT notes FROM emp`, 932],
  [`SELECT MAX(notes) FROM emp`, 932],
  [`SELECT ename FROM emp WHERE md = JSON('{}')`, 40796],
  [`SELECT ename FROM emp ORDER BY v`, 22848],
  [`SELECT ename, COUNT(*) FROM emp`, 937],
  [`SELECT ename, COUNT(*) FROM emp GROUP BY job`, 979],
  [`SELECT emp_no, ename FROM emp GROUP BY emp_no`, 979],
  [`SELECT * FROM emp GROUP BY emp_no`, 979],
  [`SELECT ename FROM emp WHERE COUNT(*) > 1`, 934],
  [`SELECT SUM(COUNT(*)) FROM emp`, 935],
  [`SELECT ename FROM emp WHERE ROW_NUMBER() OVER (ORDER BY sal) = 1`, 30483],
  [`SELECT ROW_NUMBER() OVER () FROM emp`, 30485],
  [`SELECT RANK() FROM emp`, 30484],
  [`SELECT ename FROM emp ORDER BY 2`, 1785],
  [`SELECT DISTINCT ename FROM emp ORDER BY sal`, 1791],
  [`SELECT 1 FROM dual UNION SELECT 1, 2 FROM dual`, 1789],
  [`SELECT 1 FROM dual UNION SELECT 'a' FROM dual`, 1790],
  [`SELECT ename FROM emp WHERE (emp_no, sal) < (1, 2)`, 1796],
  [`SELECT ename FROM emp WHERE sal = (SELECT sal, comm FROM emp)`, 913],
  [
    `SELECT ename FROM emp WHERE emp_no IN (${Array.from({ length: 1001 }, (_, index) => index).join()})`,
    1795,
  ],
  [`SELECT ename FROM emp WHERE sal`, 920],
  [`SELECT ename FROM emp WHERE sal NOT 1`, 920],
  [`SELECT ename FROM emp WHERE sal > :missing`, 1008],
  [`SELECT ename FROM emp WHERE hired > '2020-01-01'`, 1861],
  [`SELECT e.dept_no FROM emp e JOIN dept d USING (dept_no)`, 25154],
  [`SELECT COUNT(*) FROM emp, LATERAL_NOT`, 942],
  [`SELECT ename FROM emp, emp`, 918],
  [`SELECT nope.NEXTVAL FROM dual`, 2289],
  [`SELECT ename FROM emp WHERE mgr = emp_no(+)`, 3001],
  [`SELECT ename FROM emp CONNECT BY PRIOR emp_no = mgr`, 3001],
  [`SELECT ename emp FROM`, 903],
  [`SELECT FROM emp`, 936],
  [`SELECT ename, FROM emp`, 936],
  [`SELECT (ename FROM emp`, 907],
  [`SELECT ename FROM emp WHERE`, 936],
  [`SELECT ename FROM emp ORDER sal`, 924],
  [`SELECT ename FROM emp GROUP sal`, 924],
  [`SELECT ename FROM emp WHERE comm IS 1`, 908],
  [`SELECT * FROM "emp"`, 942],
  [`EXEC something`, 900],
  [`UPDATE emp SET sal = d.x FROM dept d`, 933],
  [`DELETE FROM emp USING dept`, 933],
];

describe('refused queries', () => {
  test.each(REFUSED)('%s raises ORA-%d', async (sql, number) => {
    await expect(database.run(sql)).rejects.toMatchObject({ number });
  });

  test.each(['number', 'date', 'size', 'level', 'uid', 'comment'])(
    'the bind :%s raises ORA-01745',
    (name) => {
      expect(() => database.translate(`SELECT :${name} FROM dual`, { [name]: 1 })).toThrowError(
        expect.objectContaining({ number: 1745 }),
      );
    },
  );
});

describe('result columns', () => {
  test('have the names and types that Oracle reports', () => {
    const { columns } = database.translate(`SELECT ename, e.sal * 2, COUNT(*) OVER () AS "n", md FROM emp e`);
    expect(columns.map(({ name, type }) => [name, type?.kind])).toEqual([
      ['ENAME', 'VARCHAR2'],
      ['E.SAL*2', 'NUMBER'],
      ['n', 'NUMBER'],
      ['MD', 'JSON'],
    ]);
  });

  test('SELECT … INTO reports its targets', () => {
    const translation = database.translate(`SELECT ename, sal INTO l_name, :sal FROM emp WHERE emp_no = 1`, {
      sal: 0,
    });
    expect(translation.into).toEqual([
      { target: 'variable', name: 'L_NAME' },
      { target: 'bind', name: 'SAL' },
    ]);
  });
});
