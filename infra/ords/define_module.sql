-- The REST module of ORDS_MODE=module: one address that runs an installed statement, for clients with its role alone.
-- Comes after the script of npm run schema -- module and enable_schema.sql.
--
-- Run it with SQLcl as the runtime user, in this folder. Can be run again: the module is then defined anew.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

BEGIN
  ORDS.DEFINE_MODULE(
    p_module_name => 'agent-memory',
    p_base_path => '/agent-memory/',
    p_items_per_page => 0,
    p_status => 'PUBLISHED',
    p_comments => 'Installed statements of agent memory');
  ORDS.DEFINE_TEMPLATE(
    p_module_name => 'agent-memory',
    p_pattern => 'call/:name/:hash');
  ORDS.DEFINE_HANDLER(
    p_module_name => 'agent-memory',
    p_pattern => 'call/:name/:hash',
    p_method => 'POST',
    p_source_type => ORDS.SOURCE_TYPE_PLSQL,
    p_mimes_allowed => 'application/json',
    p_source => q'[DECLARE
  l_status NUMBER;
BEGIN
  &owner..&prefix.MEMORY_CALL.run(:name, :hash, :body_text, l_status);
  :status_code := l_status;
END;]');
  COMMIT;
END;
/

DECLARE
  l_total NUMBER;
  l_roles OWA.VC_ARR;
  l_patterns OWA.VC_ARR;
BEGIN
  SELECT COUNT(*) INTO l_total FROM user_ords_roles r WHERE r.name = 'agent-memory.caller';
  IF l_total = 0 THEN
    ORDS.CREATE_ROLE(p_role_name => 'agent-memory.caller');
  END IF;
  l_roles(1) := 'agent-memory.caller';
  l_patterns(1) := '/agent-memory/*';
  ORDS.DEFINE_PRIVILEGE(
    p_privilege_name => 'agent-memory.call',
    p_roles => l_roles,
    p_patterns => l_patterns,
    p_label => 'Agent memory',
    p_description => 'Run installed statements of agent memory');
  COMMIT;
END;
/
