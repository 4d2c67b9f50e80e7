-- What the service may do in module mode (ORDS_MODE=module): call the package of the owner, and nothing else. The script of
-- npm run schema -- module grants that when the package is there; infra/ords has what ORDS needs. So there is no grant
-- on a table here, and grants from a time before module mode are taken back: those on tables, and with row isolation the
-- one to say whose rows a session sees.
--
-- Needs settings.sql and the tables. Can be run again.

BEGIN
  FOR g IN (
    SELECT p.owner, p.table_name, p.privilege FROM dba_tab_privs p
    WHERE p.grantee = UPPER('&runtime.')
      AND ((p.owner = UPPER('&owner.') AND p.type = 'TABLE')
        OR (p.owner = UPPER('&policy_admin.') AND p.type = 'PROCEDURE'))
  ) LOOP
    EXECUTE IMMEDIATE 'REVOKE ' || g.privilege || ' ON ' || g.owner || '.' || g.table_name || ' FROM &runtime.';
  END LOOP;
END;
/
