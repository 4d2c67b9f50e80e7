-- Revokes the older secret of the client and every access token: services ask for a new one. With a secret that leaked
-- run rotate_client_secret.sql before, or the only secret goes.
--
-- Run it with SQLcl as the runtime user, in this folder.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

BEGIN
  ORDS_SECURITY.REVOKE_CLIENT_SECRET(
    p_name => '&client_name.',
    p_revoke_sessions => TRUE);
  COMMIT;
END;
/
