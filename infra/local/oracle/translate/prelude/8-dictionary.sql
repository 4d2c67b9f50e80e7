-- The catalog: one row for each object that exists. `ora.record_change` takes what a DDL statement changed.
CREATE TABLE IF NOT EXISTS ora.catalog_change (
  position bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  name text NOT NULL,
  change jsonb NOT NULL,
  UNIQUE (kind, name)
);

CREATE OR REPLACE FUNCTION ora.record_change(change jsonb) RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_variable
DECLARE
  what text := change ->> 'kind';
BEGIN
  IF what = 'drop_table' THEN
    DELETE FROM ora.catalog_change AS c
     WHERE (c.kind = 'table' AND c.name = change ->> 'name') OR (c.kind = 'index' AND c.change #>> '{index,table}' = change ->> 'name');
  ELSIF what IN ('drop_index', 'drop_sequence', 'drop_function') THEN
    DELETE FROM ora.catalog_change AS c WHERE c.kind = pg_catalog.substr(what, 6) AND c.name = change ->> 'name';
  ELSE
    INSERT INTO ora.catalog_change AS c (kind, name, change)
    VALUES (what, COALESCE(change #>> ARRAY[what, 'name'], change ->> 'name'), change)
    ON CONFLICT (kind, name) DO UPDATE SET change = EXCLUDED.change;
  END IF;
END $$;

-- Replaced, never dropped: views of the schema may use them. New columns go to the end.
CREATE OR REPLACE VIEW ora."DUAL" AS SELECT 'X'::text AS "DUMMY";

CREATE OR REPLACE VIEW ora."USER_TABLES" AS
SELECT name AS "TABLE_NAME", 'VALID'::text AS "STATUS" FROM ora.catalog_change
 WHERE kind = 'table' AND change #> '{table,isView}' IS NULL;

CREATE OR REPLACE VIEW ora."USER_VIEWS" AS
SELECT name AS "VIEW_NAME" FROM ora.catalog_change WHERE kind = 'table' AND change #> '{table,isView}' IS NOT NULL;

CREATE OR REPLACE VIEW ora."USER_TAB_COLUMNS" AS
SELECT c.name AS "TABLE_NAME", x.col ->> 'name' AS "COLUMN_NAME",
       CASE x.col #>> '{type,kind}'
         WHEN 'TIMESTAMP' THEN 'TIMESTAMP(' || (x.col #>> '{type,precision}') || ')' || CASE WHEN (x.col #>> '{type,timeZone}')::boolean THEN ' WITH TIME ZONE' ELSE '' END
         WHEN 'INTERVAL' THEN 'INTERVAL DAY(2) TO SECOND(6)'
         ELSE x.col #>> '{type,kind}' END AS "DATA_TYPE",
       CASE x.col #>> '{type,kind}'
         WHEN 'VARCHAR2' THEN LEAST(4000, (x.col #>> '{type,length}')::numeric * CASE x.col #>> '{type,unit}' WHEN 'CHAR' THEN 4 ELSE 1 END)
         WHEN 'RAW' THEN (x.col #>> '{type,length}')::numeric WHEN 'NUMBER' THEN 22 WHEN 'DATE' THEN 7 WHEN 'BINARY_DOUBLE' THEN 8
         WHEN 'TIMESTAMP' THEN CASE WHEN (x.col #>> '{type,timeZone}')::boolean THEN 13 ELSE 11 END ELSE 4000 END::numeric AS "DATA_LENGTH",
       (x.col #>> '{type,precision}')::numeric * CASE x.col #>> '{type,kind}' WHEN 'NUMBER' THEN 1 END AS "DATA_PRECISION",
       CASE x.col #>> '{type,kind}' WHEN 'NUMBER' THEN x.col #>> '{type,scale}' WHEN 'TIMESTAMP' THEN x.col #>> '{type,precision}' END::numeric AS "DATA_SCALE",
       CASE WHEN (x.col ->> 'nullable')::boolean THEN 'Y' ELSE 'N' END AS "NULLABLE",
       x.position::numeric AS "COLUMN_ID",
       CASE x.col #>> '{type,kind}' WHEN 'VARCHAR2' THEN (x.col #>> '{type,length}')::numeric ELSE 0 END AS "CHAR_LENGTH",
       CASE x.col #>> '{type,kind}' WHEN 'VARCHAR2' THEN left(x.col #>> '{type,unit}', 1) END AS "CHAR_USED",
       CASE WHEN (x.col ->> 'identity')::boolean THEN 'YES' ELSE 'NO' END AS "IDENTITY_COLUMN"
  FROM ora.catalog_change AS c, jsonb_array_elements(c.change #> '{table,columns}') WITH ORDINALITY AS x(col, position)
 WHERE c.kind = 'table';

CREATE OR REPLACE VIEW ora."USER_INDEXES" AS
SELECT c.name AS "INDEX_NAME",
       CASE c.change #>> '{index,kind}' WHEN 'VECTOR' THEN 'VECTOR' WHEN 'TEXT' THEN 'DOMAIN' WHEN 'JSON' THEN 'DOMAIN' ELSE 'NORMAL' END AS "INDEX_TYPE",
       c.change #>> '{index,table}' AS "TABLE_NAME",
       CASE c.change #>> '{index,kind}' WHEN 'UNIQUE' THEN 'UNIQUE' ELSE 'NONUNIQUE' END AS "UNIQUENESS",
       'VALID'::text AS "STATUS"
  FROM ora.catalog_change AS c WHERE c.kind = 'index'
UNION ALL
SELECT k.con ->> 'name', 'NORMAL', c.name, 'UNIQUE', 'VALID'
  FROM ora.catalog_change AS c, jsonb_array_elements(c.change #> '{table,constraints}') AS k(con)
 WHERE c.kind = 'table' AND k.con ->> 'kind' IN ('PRIMARY KEY', 'UNIQUE');

CREATE OR REPLACE VIEW ora."USER_IND_COLUMNS" AS
SELECT c.name AS "INDEX_NAME", c.change #>> '{index,table}' AS "TABLE_NAME", x.col AS "COLUMN_NAME", x.position::numeric AS "COLUMN_POSITION"
  FROM ora.catalog_change AS c, jsonb_array_elements_text(c.change #> '{index,columns}') WITH ORDINALITY AS x(col, position)
 WHERE c.kind = 'index'
UNION ALL
SELECT k.con ->> 'name', c.name, x.col, x.position
  FROM ora.catalog_change AS c, jsonb_array_elements(c.change #> '{table,constraints}') AS k(con),
       jsonb_array_elements_text(k.con -> 'columns') WITH ORDINALITY AS x(col, position)
 WHERE c.kind = 'table' AND k.con ->> 'kind' IN ('PRIMARY KEY', 'UNIQUE');

CREATE OR REPLACE VIEW ora."USER_CONSTRAINTS" AS
SELECT k.con ->> 'name' AS "CONSTRAINT_NAME",
       CASE k.con ->> 'kind' WHEN 'PRIMARY KEY' THEN 'P' WHEN 'UNIQUE' THEN 'U' WHEN 'CHECK' THEN 'C' ELSE 'R' END AS "CONSTRAINT_TYPE",
       c.name AS "TABLE_NAME", 'ENABLED'::text AS "STATUS"
  FROM ora.catalog_change AS c, jsonb_array_elements(c.change #> '{table,constraints}') AS k(con)
 WHERE c.kind = 'table';

CREATE OR REPLACE VIEW ora."USER_CONS_COLUMNS" AS
SELECT k.con ->> 'name' AS "CONSTRAINT_NAME", c.name AS "TABLE_NAME", x.col AS "COLUMN_NAME", x.position::numeric AS "POSITION"
  FROM ora.catalog_change AS c, jsonb_array_elements(c.change #> '{table,constraints}') AS k(con),
       jsonb_array_elements_text(k.con -> 'columns') WITH ORDINALITY AS x(col, position)
 WHERE c.kind = 'table';

CREATE OR REPLACE VIEW ora."USER_SEQUENCES" AS
SELECT name AS "SEQUENCE_NAME" FROM ora.catalog_change WHERE kind = 'sequence';

CREATE OR REPLACE VIEW ora."USER_OBJECTS" AS
SELECT name AS "OBJECT_NAME", CASE WHEN change #> '{table,isView}' IS NULL THEN upper(kind) ELSE 'VIEW' END AS "OBJECT_TYPE",
       'VALID'::text AS "STATUS"
  FROM ora.catalog_change;

CREATE OR REPLACE VIEW ora."USER_PROCEDURES" AS
SELECT name AS "OBJECT_NAME", NULL::text AS "PROCEDURE_NAME", 'FUNCTION'::text AS "OBJECT_TYPE",
       CASE WHEN (change #>> '{function,deterministic}')::boolean THEN 'YES' ELSE 'NO' END AS "DETERMINISTIC",
       CASE WHEN (change #>> '{function,parallel}')::boolean THEN 'YES' ELSE 'NO' END AS "PARALLEL"
  FROM ora.catalog_change WHERE kind = 'function';

CREATE OR REPLACE VIEW ora."V$VERSION" AS
SELECT 'Oracle Database 23ai emulator (agent-memory-functions)'::text AS "BANNER",
       'Oracle Database 23ai emulator (agent-memory-functions), Version 23.0.0.0.0'::text AS "BANNER_FULL";

CREATE OR REPLACE VIEW ora."PRODUCT_COMPONENT_VERSION" AS
SELECT 'Oracle Database 23ai emulator '::text AS "PRODUCT", '23.0.0.0.0'::text AS "VERSION", '23.0.0.0.0'::text AS "VERSION_FULL", 'Emulator'::text AS "STATUS";
