-- What the service may do when it sends its statements itself (ORACLE_TRANSPORT=thin, or ords with
-- ORDS_MODE=rest-sql): what they need and no more. A test compares this file with the statements. With SQL92_SECURITY,
-- which is on, an UPDATE or DELETE whose condition reads columns needs SELECT too.
--
-- Statements name tables without their owner. The private synonyms make these names mean the owner's tables in every
-- session of the runtime user, also in those that ORDS opens for it. CONTAINS finds the text index and the optimizer
-- a vector index of a table that is reached through a synonym, and neither takes a grant of its own.
--
-- Needs settings.sql and the tables. Can be run again.

GRANT SELECT, INSERT, UPDATE, DELETE ON &owner..&prefix.MEMORY_THREAD TO &runtime.;

GRANT SELECT, INSERT, UPDATE, DELETE ON &owner..&prefix.MEMORY_RECORD TO &runtime.;

GRANT SELECT, INSERT, UPDATE, DELETE ON &owner..&prefix.MEMORY_CHUNK TO &runtime.;

GRANT SELECT, INSERT, UPDATE, DELETE ON &owner..&prefix.MEMORY_JOB TO &runtime.;

GRANT SELECT, INSERT, UPDATE, DELETE ON &owner..&prefix.MEMORY_REQUEST TO &runtime.;

GRANT SELECT, INSERT, DELETE ON &owner..&prefix.MEMORY_AUDIT TO &runtime.;

GRANT SELECT, INSERT, DELETE ON &owner..&prefix.MEMORY_HISTORY TO &runtime.;

GRANT SELECT ON &owner..&prefix.MEMORY_META TO &runtime.;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_THREAD FOR &owner..&prefix.MEMORY_THREAD;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_RECORD FOR &owner..&prefix.MEMORY_RECORD;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_CHUNK FOR &owner..&prefix.MEMORY_CHUNK;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_JOB FOR &owner..&prefix.MEMORY_JOB;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_REQUEST FOR &owner..&prefix.MEMORY_REQUEST;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_AUDIT FOR &owner..&prefix.MEMORY_AUDIT;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_HISTORY FOR &owner..&prefix.MEMORY_HISTORY;

CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_META FOR &owner..&prefix.MEMORY_META;

-- VECTOR_EMBEDDING names the model with its owner (EMBEDDING_MODEL=owner.model), so it needs no synonym.
BEGIN
  IF LOWER('&embedder.') = 'oracle-database' THEN
    EXECUTE IMMEDIATE 'GRANT SELECT ON MINING MODEL &owner..&embedding_model. TO &runtime.';
  END IF;
END;
/
