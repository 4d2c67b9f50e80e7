-- Takes the policies off the tables; those that are not there stay so (ORA-28102). Needs settings.sql.

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_THREAD',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_RECORD',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_CHUNK',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_JOB',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_REQUEST',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_AUDIT',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/

BEGIN
  DBMS_RLS.DROP_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_HISTORY',
    policy_name => 'MEMORY_ROWS');
EXCEPTION
  WHEN OTHERS THEN
    IF SQLCODE <> -28102 THEN
      RAISE;
    END IF;
END;
/
