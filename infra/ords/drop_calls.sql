-- Removes what the script of npm run schema -- module installed: package, filter function and table of statements. The
-- memories stay. Run it with SQLcl as the deployer that acts as the owner, in this folder:
--
--   sql admin[agent_memory]@myadb_low @drop_calls.sql
--
-- Can be run again.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

DROP PACKAGE IF EXISTS &prefix.MEMORY_CALL;

DROP FUNCTION IF EXISTS &prefix.MEMORY_METADATA_MATCHES;

DROP TABLE IF EXISTS &prefix.MEMORY_STATEMENT PURGE;
