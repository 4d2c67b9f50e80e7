/** Texts that Oracle Database 23ai takes, by title; the tables and names are invented. */
export const ACCEPTED_TEXTS: Readonly<Record<string, string>> = {
  'select with bind and row limit':
    'SELECT o.order_id, o.total FROM orders o WHERE o.total > :minimum ORDER BY o.total DESC FETCH FIRST 3 ROWS ONLY',
  'offset with binds':
    'SELECT o.order_id FROM orders o ORDER BY o.order_id OFFSET :skip ROWS FETCH NEXT :page_size ROWS ONLY',
  'keyset page':
    'SELECT o.order_id FROM orders o WHERE o.placed_at < :placed_at OR (o.placed_at = :placed_at AND o.order_id < :order_id) ORDER BY o.placed_at DESC, o.order_id DESC',
  'percent of rows with ties':
    'SELECT s.reading FROM sensors s ORDER BY s.reading FETCH FIRST 10 PERCENT ROWS WITH TIES',
  'row lock that skips': "SELECT q.task_id FROM tasks q WHERE q.state = 'new' FOR UPDATE SKIP LOCKED",
  rownum: 'SELECT t.name FROM tags t WHERE ROWNUM <= 5',
  'minus and intersect':
    'SELECT t.name FROM tags t MINUS SELECT u.name FROM labels u INTERSECT SELECT w.name FROM words w',
  'outer joins':
    'SELECT c.name, o.total FROM customers c LEFT OUTER JOIN orders o ON o.customer_id = c.customer_id FULL JOIN invoices i ON i.order_id = o.order_id',
  'old outer join':
    'SELECT c.name, o.total FROM customers c, orders o WHERE o.customer_id (+) = c.customer_id',
  'hierarchical query':
    'SELECT e.name, LEVEL FROM employees e START WITH e.manager_id IS NULL CONNECT BY PRIOR e.employee_id = e.manager_id ORDER SIBLINGS BY e.name',
  'recursive common table expression':
    'WITH chain (employee_id, depth) AS (SELECT e.employee_id, 1 FROM employees e WHERE e.manager_id IS NULL UNION ALL SELECT e.employee_id, c.depth + 1 FROM employees e JOIN chain c ON c.employee_id = e.manager_id) SELECT c.employee_id, c.depth FROM chain c',
  'analytic functions':
    'SELECT e.name, RANK() OVER (PARTITION BY e.department ORDER BY e.salary DESC) AS place, SUM(e.salary) OVER (ORDER BY e.hired ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS running, LAG(e.salary, 1, 0) OVER (ORDER BY e.hired) AS previous FROM employees e',
  'rollup with having':
    'SELECT e.department, COUNT(*) AS head_count FROM employees e GROUP BY ROLLUP (e.department) HAVING COUNT(*) > 1',
  listagg: "SELECT LISTAGG(t.name, ', ') WITHIN GROUP (ORDER BY t.name) AS names FROM tags t",
  'keep first':
    'SELECT MAX(e.name) KEEP (DENSE_RANK FIRST ORDER BY e.salary DESC) AS best_paid FROM employees e',
  'decode and case':
    "SELECT DECODE(o.state, 'n', 'new', 'p', 'paid', 'other') AS state, CASE WHEN o.total > 100 THEN 'large' ELSE 'small' END AS size_class FROM orders o",
  'quoting and q-literals': `SELECT "t"."Name" AS "Mixed Case", q'[it's]' AS quoted, N'x' AS national, 'a''b' AS doubled FROM "Tags" "t"`,
  'dates and intervals':
    "SELECT SYSTIMESTAMP + INTERVAL '5' MINUTE AS later, DATE '2026-01-31' AS day_one, TIMESTAMP '2026-01-31 10:00:00 +01:00' AS moment, NUMTODSINTERVAL(3, 'DAY') AS span FROM dual",
  'utc text': `SELECT TO_CHAR(s.taken_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF6"Z"') AS taken_at FROM sensors s`,
  'like with escape':
    "SELECT t.name FROM tags t WHERE t.name LIKE :pattern ESCAPE '!' AND REGEXP_LIKE(t.name, '^[a-z]+$', 'i')",
  'json existence with values': `SELECT d.id FROM documents d WHERE JSON_EXISTS(d.body, '$.lines[*]?(@.sku == $sku)' PASSING :sku AS "sku" FALSE ON ERROR)`,
  'json value and query':
    "SELECT JSON_VALUE(d.body, '$.total' RETURNING NUMBER ERROR ON ERROR NULL ON EMPTY) AS total, JSON_QUERY(d.body, '$.lines' RETURNING CLOB) AS order_lines FROM documents d",
  'json generation':
    "SELECT JSON_OBJECT('id' VALUE d.id, 'body' VALUE d.body FORMAT JSON, 'tags' VALUE (SELECT JSON_ARRAYAGG(t.name ORDER BY t.name RETURNING CLOB) FROM tags t) FORMAT JSON NULL ON NULL RETURNING CLOB) AS body FROM documents d",
  'json table':
    "SELECT j.ord, j.sku FROM documents d CROSS JOIN JSON_TABLE(d.body, '$.lines[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', amount NUMBER PATH '$.amount', note CLOB PATH '$.note')) j",
  'json elements compared': `SELECT d.id FROM documents d WHERE EXISTS (SELECT 1 FROM JSON_TABLE(d.body, '$."tags"[*]' COLUMNS (e JSON PATH '$')) j WHERE JSON_EQUAL(j.e, JSON(:tag)))`,
  'json equality of a part': `SELECT d.id FROM documents d WHERE JSON_EXISTS(d.body, '$."a"') AND JSON_EQUAL(JSON_QUERY(d.body, '$."a"' RETURNING JSON), JSON(:expected)) AND NOT (JSON_EXISTS(d.body, '$?(@."b".type() == "object")'))`,
  'json serialised':
    'SELECT JSON_SERIALIZE(d.body RETURNING CLOB) AS body FROM documents d WHERE d.body IS JSON',
  'json merge patch': 'UPDATE documents d SET d.body = JSON_MERGEPATCH(d.body, :patch) WHERE d.id = :id',
  'vector distance':
    'WITH near AS (SELECT p.photo_id, VECTOR_DISTANCE(p.features, TO_VECTOR(:probe, 4, FLOAT32), COSINE) * CASE WHEN p.album = :album THEN 0.9 ELSE 1 END AS gap FROM photos p WHERE p.features IS NOT NULL) SELECT n.photo_id, MIN(n.gap) AS gap FROM near n GROUP BY n.photo_id ORDER BY 2, 1 FETCH FIRST :k ROWS ONLY',
  'approximate search':
    'SELECT p.photo_id FROM photos p ORDER BY VECTOR_DISTANCE(p.features, TO_VECTOR(:probe, 4, FLOAT32), COSINE) FETCH APPROX FIRST 10 ROWS ONLY WITH TARGET ACCURACY 90',
  'exact search by operator':
    'SELECT p.photo_id FROM photos p ORDER BY p.features <=> TO_VECTOR(:probe, *, FLOAT32) FETCH EXACT FIRST 10 ROWS ONLY',
  'text search':
    'SELECT a.article_id, SCORE(1) AS relevance FROM articles a WHERE CONTAINS(a.body, :words, 1) > 0 ORDER BY SCORE(1) DESC',
  'fused ranking':
    'WITH v AS (SELECT x.id, ROW_NUMBER() OVER (ORDER BY x.gap, x.id) AS rk FROM (SELECT p.id, MIN(L2_DISTANCE(p.features, TO_VECTOR(:probe, 4, FLOAT32))) AS gap FROM photos p GROUP BY p.id ORDER BY 2, 1 FETCH FIRST :n ROWS ONLY) x), t AS (SELECT y.id, ROW_NUMBER() OVER (ORDER BY y.hits DESC, y.id) AS rk FROM (SELECT a.id, SCORE(1) AS hits FROM articles a WHERE CONTAINS(a.body, :words, 1) > 0) y) SELECT COALESCE(v.id, t.id) AS id, 0.5 * COALESCE(1 / (60 + v.rk), 0) + 0.5 * COALESCE(1 / (60 + t.rk), 0) AS fused FROM v FULL OUTER JOIN t ON t.id = v.id ORDER BY 2 DESC, 1',
  'minimum per kind':
    "SELECT k.id, CASE WHEN k.rk <= NVL(JSON_VALUE(:minimums, '$.photo' RETURNING NUMBER), 0) AND k.kind = 'photo' THEN 1 ELSE 0 END AS required FROM (SELECT p.id, p.kind, ROW_NUMBER() OVER (PARTITION BY p.kind ORDER BY p.gap, p.id) AS rk FROM pieces p) k",
  'insert from json':
    "INSERT INTO order_lines (order_id, position, sku, added_at) SELECT o.order_id, j.ord, j.sku, TO_TIMESTAMP_TZ(j.added_at, 'YYYY-MM-DD\"T\"HH24:MI:SS.FF6TZH:TZM') FROM JSON_TABLE(:lines, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', added_at VARCHAR2(40 CHAR) PATH '$.at')) j CROSS JOIN orders o WHERE o.order_id = :order_id",
  'insert several rows': "INSERT INTO tags (tag_id, name) VALUES (1, 'red'), (2, 'blue')",
  'insert returning': 'INSERT INTO tags (name) VALUES (:name) RETURNING tag_id INTO :tag_id',
  'insert when absent':
    'INSERT INTO tags (tag_id, name) SELECT :tag_id, :name FROM dual WHERE NOT EXISTS (SELECT 1 FROM tags t WHERE t.tag_id = :tag_id)',
  'insert all':
    'INSERT ALL INTO tags (name) VALUES (:first_name) INTO labels (name) VALUES (:second_name) SELECT 1 FROM dual',
  'update returning':
    'UPDATE orders o SET o.total = o.total + :extra, o.changed_at = SYSTIMESTAMP WHERE o.order_id = :order_id RETURNING o.total INTO :total',
  'update from subquery':
    'UPDATE orders o SET (o.total, o.state) = (SELECT SUM(l.amount), :state FROM order_lines l WHERE l.order_id = o.order_id) WHERE o.order_id = :order_id',
  'claim with lease':
    "UPDATE tasks t SET t.state = 'running', t.lease_until = SYSTIMESTAMP + NUMTODSINTERVAL(:lease, 'SECOND') WHERE t.task_id = :task_id AND (t.state = 'queued' OR (t.state = 'running' AND t.lease_until < SYSTIMESTAMP))",
  'delete with limit':
    "DELETE FROM sensors s WHERE s.taken_at < SYSTIMESTAMP - NUMTODSINTERVAL(30, 'DAY') AND ROWNUM <= 1000",
  merge:
    'MERGE INTO stock s USING (SELECT :sku AS sku, :amount AS amount FROM dual) n ON (s.sku = n.sku) WHEN MATCHED THEN UPDATE SET s.amount = s.amount + n.amount DELETE WHERE s.amount = 0 WHEN NOT MATCHED THEN INSERT (sku, amount) VALUES (n.sku, n.amount)',
  'create table':
    "CREATE TABLE IF NOT EXISTS invoices (invoice_id NUMBER(12) GENERATED BY DEFAULT ON NULL AS IDENTITY, number_text VARCHAR2(30 CHAR) NOT NULL, body JSON DEFAULT '{}' NOT NULL, paid BOOLEAN DEFAULT FALSE, features VECTOR(4, FLOAT32), raw_key RAW(16) DEFAULT SYS_GUID(), issued_at TIMESTAMP(6) WITH TIME ZONE DEFAULT SYSTIMESTAMP NOT NULL, CONSTRAINT invoices_pk PRIMARY KEY (invoice_id), CONSTRAINT invoices_state CHECK (number_text <> 'x'), CONSTRAINT invoices_order_fk FOREIGN KEY (number_text) REFERENCES orders (number_text) ON DELETE CASCADE)",
  'key beside a time with a zone':
    'CREATE TABLE readings (sensor_id NUMBER, taken_at TIMESTAMP(3) WITH TIME ZONE, CONSTRAINT readings_pk PRIMARY KEY (sensor_id))',
  'create table from query': 'CREATE TABLE old_orders AS SELECT o.order_id FROM orders o WHERE o.total = 0',
  'create vector index':
    'CREATE VECTOR INDEX IF NOT EXISTS photos_features ON photos (features) ORGANIZATION NEIGHBOR PARTITIONS DISTANCE COSINE WITH TARGET ACCURACY 90 PARAMETERS (type IVF, neighbor partitions 100)',
  'create neighbour graph index':
    'CREATE VECTOR INDEX photos_graph ON photos (features) ORGANIZATION INMEMORY NEIGHBOR GRAPH DISTANCE COSINE WITH TARGET ACCURACY 95 PARAMETERS (type HNSW, neighbors 32, efconstruction 300)',
  'create text index':
    "CREATE INDEX articles_text ON articles (body) INDEXTYPE IS CTXSYS.CONTEXT PARAMETERS ('SYNC (ON COMMIT)')",
  'create search index': 'CREATE SEARCH INDEX documents_search ON documents (body) FOR JSON',
  'create function index': 'CREATE UNIQUE INDEX tags_upper ON tags (UPPER(name))',
  'create sequence': 'CREATE SEQUENCE IF NOT EXISTS ticket_numbers START WITH 100 INCREMENT BY 5 NOCACHE',
  'create view':
    'CREATE OR REPLACE VIEW open_orders AS SELECT o.order_id FROM orders o WHERE o.closed_at IS NULL',
  'alter table': 'ALTER TABLE orders ADD (note VARCHAR2(200 CHAR), weight NUMBER(8, 3))',
  'drop table': 'DROP TABLE IF EXISTS old_orders CASCADE CONSTRAINTS PURGE',
  comment: "COMMENT ON TABLE orders IS 'what was bought'",
  'guarded block': `DECLARE
    l_lines CLOB := :lines;
    l_key VARCHAR2(64 CHAR) := :request_key;
    l_hash VARCHAR2(64 CHAR) := :request_hash;
    l_seen VARCHAR2(64 CHAR);
    l_now TIMESTAMP WITH TIME ZONE := SYSTIMESTAMP;
    l_added NUMBER := :added;
    l_total NUMBER;
    l_rows NUMBER;
  BEGIN
    BEGIN
      INSERT INTO requests (request_key, request_hash, made_at) VALUES (l_key, l_hash, l_now);
    EXCEPTION
      WHEN DUP_VAL_ON_INDEX THEN
        SELECT request_hash, answer INTO l_seen, :answer FROM requests WHERE request_key = l_key;
        IF l_seen <> l_hash THEN
          RAISE_APPLICATION_ERROR(-20409, 'key used for another request');
        END IF;
        :replayed := 1;
        RETURN;
    END;
    UPDATE orders o SET o.line_count = o.line_count + l_added, o.changed_at = l_now WHERE o.order_id = :order_id RETURNING o.line_count INTO l_total;
    IF SQL%ROWCOUNT = 0 THEN
      RAISE_APPLICATION_ERROR(-20404, 'no order ' || :order_id);
    ELSIF l_total > 1000 THEN
      RAISE_APPLICATION_ERROR(-20400, 'too many lines');
    END IF;
    INSERT INTO order_lines (order_id, position, sku, features)
    SELECT o.order_id, l_total - l_added + j.ord, j.sku, TO_VECTOR(j.features, 4, FLOAT32)
      FROM JSON_TABLE(l_lines, '$.items[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (ord FOR ORDINALITY, sku VARCHAR2(20 CHAR) PATH '$.sku', features CLOB PATH '$.features')) j
           CROSS JOIN orders o
     WHERE o.order_id = :order_id;
    l_rows := SQL%ROWCOUNT;
    UPDATE requests SET answer = JSON_OBJECT('total' VALUE l_total, 'rows' VALUE l_rows RETURNING CLOB) WHERE request_key = l_key;
    :replayed := 0;
    :row_count := l_rows;
  END;`,
  'lease block': `DECLARE
    l_state VARCHAR2(16 CHAR);
  BEGIN
    UPDATE tasks t SET t.state = 'done', t.lease_until = NULL WHERE t.task_id = :task_id AND t.attempt = :attempt;
    IF SQL%ROWCOUNT = 0 THEN
      BEGIN
        SELECT t.state INTO l_state FROM tasks t WHERE t.task_id = :task_id;
      EXCEPTION
        WHEN NO_DATA_FOUND THEN
          RAISE_APPLICATION_ERROR(-20404, 'no such task');
      END;
      IF l_state = 'done' THEN
        :outcome := 'already_done';
        RETURN;
      END IF;
      RAISE_APPLICATION_ERROR(-20409, 'lease lost');
    END IF;
    :outcome := 'done';
  END;`,
  'cursor block': `DECLARE
    CURSOR c IS SELECT t.task_id FROM tasks t WHERE t.state = 'queued' ORDER BY t.run_at FOR UPDATE SKIP LOCKED;
    l_task tasks.task_id%TYPE;
  BEGIN
    OPEN c;
    FETCH c INTO l_task;
    IF c%FOUND THEN
      UPDATE tasks t SET t.state = 'running' WHERE CURRENT OF c;
    END IF;
    CLOSE c;
    :task_id := l_task;
  END;`,
  'block around DDL': `BEGIN
    EXECUTE IMMEDIATE q'~CREATE TABLE tags (tag_id NUMBER)~';
  EXCEPTION
    WHEN OTHERS THEN
      IF SQLCODE NOT IN (-955, -1408) THEN
        RAISE;
      END IF;
  END;`,
};
