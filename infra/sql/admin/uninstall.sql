-- Removes what install.sql and row_isolation.sql made. EVERY MEMORY OF EVERY STORE OF THE OWNER IS LOST. Run it with
-- SQLcl as the administrator, in this folder, after the service has stopped:
--
--   sql admin@myadb_low @uninstall.sql
--
-- Can be run again. To remove one store of several, see drop_store.sql.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

DROP USER IF EXISTS &runtime. CASCADE;

DROP USER IF EXISTS &owner. CASCADE;

DROP USER IF EXISTS &policy_admin. CASCADE;

BEGIN
  FOR c IN (SELECT d.namespace FROM dba_context d WHERE d.schema = UPPER('&policy_admin.')) LOOP
    EXECUTE IMMEDIATE 'DROP CONTEXT ' || c.namespace;
  END LOOP;
END;
/
