-- Who may say whose rows a session sees: the service, and the owner, whose package does it in module mode and who changes
-- rows in an upgrade of the schema. Needs settings.sql. Can be run again.

GRANT EXECUTE ON &policy_admin..&prefix.MEMORY_ROW_ACCESS TO &owner.;

CREATE OR REPLACE SYNONYM &owner..&prefix.MEMORY_ROW_ACCESS FOR &policy_admin..&prefix.MEMORY_ROW_ACCESS;

-- In module mode the package of the owner does it for the service.
BEGIN
  IF LOWER('&runtime_access.') = 'tables' THEN
    EXECUTE IMMEDIATE 'GRANT EXECUTE ON &policy_admin..&prefix.MEMORY_ROW_ACCESS TO &runtime.';
    EXECUTE IMMEDIATE
      'CREATE OR REPLACE SYNONYM &runtime..&prefix.MEMORY_ROW_ACCESS FOR &policy_admin..&prefix.MEMORY_ROW_ACCESS';
  END IF;
END;
/
