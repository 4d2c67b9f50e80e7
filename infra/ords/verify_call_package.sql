-- Creating PL/SQL that does not compile is no error to SQLcl; this makes it one. The last part of what
-- npm run schema -- module prints.

DECLARE
  l_invalid NUMBER;
BEGIN
  SELECT COUNT(*) INTO l_invalid FROM user_objects o
    WHERE o.object_name IN ('&prefix.MEMORY_CALL', '&filter_function.') AND o.status <> 'VALID';
  IF l_invalid > 0 THEN
    RAISE_APPLICATION_ERROR(-20500, 'PL/SQL of the memory store does not compile: see USER_ERRORS');
  END IF;
END;
/
