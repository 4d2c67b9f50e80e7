-- The context and the procedure that sets it. Nothing else can: Oracle refuses DBMS_SESSION.SET_CONTEXT for this namespace
-- outside the procedure (ORA-01031).
--
--   MEMORY_ROW_ACCESS('USERS', '{"userIds":["alice"],"agentIds":["guide"]}')
--                                     only rows of these users and profiles of these agents; none for empty arrays
--   MEMORY_ROW_ACCESS('EVERY', NULL)  every row
--   MEMORY_ROW_ACCESS('NONE', NULL)   no row, as in a new session
--
-- A call that fails leaves no row. The condition of the policies has a place for each id, and room for 200.

CREATE OR REPLACE CONTEXT &owner._&prefix.ROWS USING &policy_admin..&prefix.MEMORY_ROW_ACCESS;

CREATE OR REPLACE PROCEDURE &policy_admin..&prefix.MEMORY_ROW_ACCESS(
  p_access IN VARCHAR2,
  p_owners IN CLOB
)
AUTHID DEFINER
IS
  l_users NUMBER := 0;
  l_agents NUMBER := 0;
BEGIN
  DBMS_SESSION.CLEAR_ALL_CONTEXT('&owner._&prefix.ROWS');
  IF p_access = 'EVERY' THEN
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'ACCESS', 'EVERY');
  ELSIF p_access = 'USERS' THEN
    FOR u IN (
      SELECT j.allowed_id FROM JSON_TABLE(p_owners, '$.userIds[*]' ERROR ON ERROR NULL ON EMPTY
        COLUMNS (allowed_id VARCHAR2(128 CHAR) PATH '$')) j
    ) LOOP
      l_users := l_users + 1;
      DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'U' || TO_CHAR(l_users), u.allowed_id);
    END LOOP;
    FOR a IN (
      SELECT j.allowed_id FROM JSON_TABLE(p_owners, '$.agentIds[*]' ERROR ON ERROR NULL ON EMPTY
        COLUMNS (allowed_id VARCHAR2(128 CHAR) PATH '$')) j
    ) LOOP
      l_agents := l_agents + 1;
      DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'A' || TO_CHAR(l_agents), a.allowed_id);
    END LOOP;
    IF l_users + l_agents > 200 THEN
      RAISE_APPLICATION_ERROR(-20400, 'row access is for at most 200 users and agents');
    END IF;
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'USER_TOTAL', TO_CHAR(l_users));
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'AGENT_TOTAL', TO_CHAR(l_agents));
    DBMS_SESSION.SET_CONTEXT('&owner._&prefix.ROWS', 'ACCESS', 'USERS');
  ELSIF p_access IS NULL OR p_access <> 'NONE' THEN
    RAISE_APPLICATION_ERROR(-20400, 'row access must be EVERY, USERS or NONE');
  END IF;
END;
/
