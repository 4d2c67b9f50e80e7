-- Removes what the scripts of this folder made for the runtime user: client, privilege, role, module, and the schema from
-- ORDS. Services that use it stop working. Run it with SQLcl as the runtime user, in this folder. Can be run again.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

BEGIN
  FOR c IN (SELECT u.name FROM user_ords_clients u WHERE u.name = '&client_name.') LOOP
    ORDS_SECURITY.DELETE_CLIENT(p_name => c.name);
  END LOOP;
  FOR p IN (SELECT u.name FROM user_ords_privileges u WHERE u.name = 'agent-memory.call') LOOP
    ORDS.DELETE_PRIVILEGE(p_name => p.name);
  END LOOP;
  FOR r IN (SELECT u.name FROM user_ords_roles u WHERE u.name = 'agent-memory.caller') LOOP
    ORDS.DELETE_ROLE(p_role_name => r.name);
  END LOOP;
  FOR m IN (SELECT u.name FROM user_ords_modules u WHERE u.name = 'agent-memory') LOOP
    ORDS.DELETE_MODULE(p_module_name => m.name);
  END LOOP;
  ORDS.ENABLE_SCHEMA(p_enabled => FALSE);
  COMMIT;
END;
/
