-- A new secret for the client of the service; the one in use stays valid, so nothing fails meanwhile. Deploy the new one,
-- then run revoke_client_secret.sql.
--
-- Run it with SQLcl as the runtime user, in this folder.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
SET SERVEROUTPUT ON
@@settings.sql
@@print_client_secret.sql
