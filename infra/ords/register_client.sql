-- The OAuth client of the service. Prints ORDS_CLIENT_ID and ORDS_CLIENT_SECRET once: the secret is stored nowhere. Needs
-- ORDS 24.3 or newer (ORDS_SECURITY).
--
-- Run it with SQLcl as the runtime user, in this folder. A client that is there stays and gets another secret beside its
-- own, as with rotate_client_secret.sql.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
SET SERVEROUTPUT ON
@@settings.sql

DECLARE
  l_total NUMBER;
BEGIN
  SELECT COUNT(*) INTO l_total FROM user_ords_clients c WHERE c.name = '&client_name.';
  IF l_total = 0 THEN
    ORDS_SECURITY.REGISTER_CLIENT(
      p_name => '&client_name.',
      p_grant_type => 'client_credentials',
      p_description => 'Service of agent memory',
      p_support_email => '&support_email.',
      p_token_duration => &token_seconds.);
    ORDS_SECURITY.GRANT_CLIENT_ROLE(
      p_client_name => '&client_name.',
      p_role_name => '&client_role.');
  END IF;
  COMMIT;
END;
/

@@print_client_secret.sql
