-- One policy a table, for every kind of statement: MERGE needs all of them. With update_check an INSERT or UPDATE that
-- would leave a row outside fails (ORA-28115). A policy that is context sensitive asks the function again when the context
-- has changed. MEMORY_META says nothing of anybody and has none. MEMORY_AUDIT takes rows about anybody, because
-- what a caller does may concern no user at all; it shows only those that the session may see. Needs settings.sql. Can be run again.

@@drop_row_policies.sql

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_THREAD',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_RECORD',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_CHUNK',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_JOB',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_REQUEST',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_AUDIT',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/

BEGIN
  DBMS_RLS.ADD_POLICY(
    object_schema => '&owner.',
    object_name => '&prefix.MEMORY_HISTORY',
    policy_name => 'MEMORY_ROWS',
    function_schema => '&policy_admin.',
    policy_function => '&prefix.MEMORY_ROW_PREDICATE',
    statement_types => 'SELECT, INSERT, UPDATE, DELETE',
    update_check => TRUE,
    policy_type => DBMS_RLS.CONTEXT_SENSITIVE,
    long_predicate => TRUE);
END;
/
