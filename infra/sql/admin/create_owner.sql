-- The account that owns the tables. It has no password, so nobody logs in with it: the deployer acts as it, with a
-- password of its own (CONNECT deployer[owner]).
--
-- Needs settings.sql. Can be run again.

CREATE USER IF NOT EXISTS &owner. NO AUTHENTICATION;

ALTER USER &owner. DEFAULT TABLESPACE &tablespace. QUOTA &quota. ON &tablespace.;

ALTER USER &owner. GRANT CONNECT THROUGH &deployer.;

-- Identity columns make sequences. CREATE PROCEDURE is for the metadata filter and the package of module mode.
GRANT CREATE SESSION, CREATE TABLE, CREATE SEQUENCE, CREATE PROCEDURE TO &owner.;

-- The job that removes expired records. Without it the scheduled purge of the service does the same.
GRANT CREATE JOB TO &owner.;

-- Granted directly, because roles do not count inside stored programs. CTX_DDL makes the lexer of the text index and
-- syncs and optimizes the index; the index itself needs nothing. Vector indexes need no privilege either
-- (HNSW needs room in memory: docs/oracle.md).
BEGIN
  IF LOWER('&search_strategy.') IN ('keyword', 'hybrid') THEN
    EXECUTE IMMEDIATE 'GRANT EXECUTE ON CTXSYS.CTX_DDL TO &owner.';
  END IF;
  IF LOWER('&embedder.') = 'oracle-database' THEN
    EXECUTE IMMEDIATE 'GRANT CREATE MINING MODEL TO &owner.';
  END IF;
END;
/
