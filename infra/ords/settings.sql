-- What the scripts of this folder are told, beside the names of the accounts. Change it here.

@@../sql/admin/settings.sql

-- Path of the schema under /ords/, the end of ORDS_URL.
DEFINE ords_alias = agent-memory
-- The OAuth client that the service is, and its role. For ORDS_MODE=module it is the role of define_module.sql. For
-- ORDS_MODE=rest-sql it would be 'SQL Developer', which reaches every REST-enabled schema of this ORDS.
DEFINE client_name = agent-memory-service
DEFINE client_role = agent-memory.caller
DEFINE support_email = dba@example.com
-- Life of an access token.
DEFINE token_seconds = 900
