-- The context and the procedure that sets it. Nothing else can: Oracle refuses DBMS_SESSION.SET_CONTEXT for this namespace
-- outside the procedure (ORA-01031).
--
--   MEMORY_ROW_ACCESS('USERS', '["alice","bob"]')  only rows of these users, none for an empty array
--   MEMORY_ROW_ACCESS('EVERY', NULL)               every row
--   MEMORY_ROW_ACCESS('NONE', NULL)                no row, as in a new session
--
-- A call that fails leaves no row. The condition of the policies has a place for each user, and room for 200.

CREATE OR REPLACE CONTEXT &owner._&prefix.ROWS USING &policy_admin..&prefix.MEMORY_ROW_ACCESS;

CREATE OR REPLACE PROCEDURE &policy_admin..&prefix.MEMORY_ROW_ACCESS(
  p_access IN VARCHAR2,
  p_user_ids IN CLOB
)
AUTHID DEFINER
IS
  l_total NUMBER := 0;
BEGIN
  DBMS_SESSION.CLEAR_ALL_CONTEXT('&owner._&prefix.ROWS');
  IF p_access = 'EVERY' THEN
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'ACCESS', 'EVERY');
  ELSIF p_access = 'USERS' THEN
    FOR u IN (
      SELECT j.allowed_id FROM JSON_TABLE(p_user_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY
        COLUMNS (allowed_id VARCHAR2(128 CHAR) PATH '$')) j
    ) LOOP
      l_total := l_total + 1;
      IF l_total > 200 THEN
        RAISE_APPLICATION_ERROR(-20400, 'row access is for at most 200 users');
      END IF;
      DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'U' || TO_CHAR(l_total), u.allowed_id);
    END LOOP;
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'USER_TOTAL', TO_CHAR(l_total));
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'ACCESS', 'USERS');
  ELSIF p_access IS NULL OR p_access <> 'NONE' THEN
    RAISE_APPLICATION_ERROR(-20400, 'row access must be EVERY, USERS or NONE');
  END IF;
END;
/
