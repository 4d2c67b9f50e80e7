-- Removes one memory store, the one with the prefix of settings.sql, and leaves the accounts. EVERY MEMORY OF THE STORE
-- IS LOST. Run it with SQLcl as the deployer that acts as the owner, in this folder; with row isolation run
-- drop_row_isolation.sql first:
--
--   sql admin[agent_memory]@myadb_low @drop_store.sql
--
-- Indexes, grants and policies go with the tables. Can be run again.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

BEGIN
  DBMS_SCHEDULER.DROP_JOB(job_name => '&prefix.PURGE_EXPIRED_RECORDS_J', force => TRUE);
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -27475 THEN
      RAISE;
    END IF;
END;
/

DROP TABLE IF EXISTS &prefix.MEMORY_META PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_HISTORY PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_AUDIT PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_REQUEST PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_JOB PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_CHUNK PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_RECORD PURGE;

DROP TABLE IF EXISTS &prefix.MEMORY_THREAD PURGE;

-- Only a store that searches words has it, and only a user with CTX_DDL could make it.
BEGIN
  IF LOWER('&search_strategy.') IN ('keyword', 'hybrid') THEN
    EXECUTE IMMEDIATE 'BEGIN CTX_DDL.DROP_PREFERENCE(''&prefix.MEMORY_LEXER''); END;';
  END IF;
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -20000 OR INSTR(SQLERRM, 'DRG-10700') = 0 THEN
      RAISE;
    END IF;
END;
/
