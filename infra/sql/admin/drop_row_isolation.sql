-- Removes row isolation of the store with the prefix of settings.sql: afterwards every session sees every row. Set
-- ROW_ISOLATION=none everywhere after it; in module mode run the script of npm run schema -- module again as well, because
-- the package of the owner calls the procedure that is dropped here. Run it with SQLcl as the administrator, in this folder. Can be run again.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql
@@drop_row_policies.sql

DROP SYNONYM IF EXISTS &owner..&prefix.MEMORY_ROW_ACCESS;

DROP SYNONYM IF EXISTS &runtime..&prefix.MEMORY_ROW_ACCESS;

DROP FUNCTION IF EXISTS &policy_admin..&prefix.MEMORY_ROW_PREDICATE;

DROP PROCEDURE IF EXISTS &policy_admin..&prefix.MEMORY_ROW_ACCESS;

BEGIN
  FOR c IN (SELECT d.namespace FROM dba_context d WHERE d.namespace = UPPER('&owner._&prefix.ROWS')) LOOP
    EXECUTE IMMEDIATE 'DROP CONTEXT ' || c.namespace;
  END LOOP;
END;
/
