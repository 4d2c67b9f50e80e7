-- Who decides whose rows a session sees: an account that nobody logs in with, a context that only its procedure sets,
-- and the function that makes a condition of the context. Needs settings.sql. Can be run again.

CREATE USER IF NOT EXISTS &policy_admin. NO AUTHENTICATION;

-- The condition on jobs asks for their threads, with the privileges of the function's owner.
GRANT SELECT ON &owner..&prefix.MEMORY_THREAD TO &policy_admin.;

@@row_access_procedure.sql
@@row_predicate_function.sql
