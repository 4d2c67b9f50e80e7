-- Lets ORDS answer for the account of the service: ORDS_URL is then https://host/ords/ and the alias of settings.sql. All
-- that ORDS_MODE=rest-sql needs of the database; the ORDS pool needs restEnabledSql.active=true for it.
--
-- Run it with SQLcl as the runtime user, in this folder. Can be run again.

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF
@@settings.sql

BEGIN
  ORDS.ENABLE_SCHEMA(
    p_enabled => TRUE,
    p_url_mapping_type => 'BASE_PATH',
    p_url_mapping_pattern => '&ords_alias.',
    p_auto_rest_auth => TRUE);
  COMMIT;
END;
/
