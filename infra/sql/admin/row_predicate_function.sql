-- The condition that Oracle adds to every statement on a table with a policy. NULL is no condition: for a session that
-- asked for every row, and for jobs that the owner has made, such as the purge of expired records; nobody else can make a
-- job that runs as the owner. Every other way out returns a condition, so that a session without a context sees nothing.
--
-- Values are not in the text: it depends on the table and on how many ids there are. SYS_CONTEXT gives 256 bytes unless
-- it is told otherwise; an id has up to 512. The profile of a user or an agent has no other owner than its own id. Jobs
-- have no user and count by their thread. A request that is kept for its idempotency key has the user or the thread that
-- it named, or neither; it holds hashes and no text.

CREATE OR REPLACE FUNCTION &policy_admin..&prefix.MEMORY_ROW_PREDICATE(
  p_schema IN VARCHAR2,
  p_table IN VARCHAR2
) RETURN VARCHAR2
AUTHID DEFINER
IS
  l_access VARCHAR2(10 CHAR) := SYS_CONTEXT('&owner._&prefix.ROWS', 'ACCESS');
  l_users VARCHAR2(32767 BYTE) := NULL;
  l_agents VARCHAR2(32767 BYTE) := NULL;
  l_threads VARCHAR2(32767 BYTE) := NULL;

  -- ' IN (…)' of the values of the attributes with this letter; never true when there are none.
  FUNCTION one_of(p_letter IN VARCHAR2, p_total IN VARCHAR2) RETURN VARCHAR2
  IS
    l_list VARCHAR2(32767 BYTE) := 'NULL';
  BEGIN
    FOR i IN 1 .. NVL(TO_NUMBER(p_total), 0) LOOP
      l_list := l_list || ',SYS_CONTEXT(''&owner._&prefix.ROWS'',''' || p_letter || TO_CHAR(i) || ''',512)';
    END LOOP;
    RETURN ' IN (' || l_list || ')';
  END;
BEGIN
  IF l_access = 'EVERY' THEN
    RETURN NULL;
  END IF;
  IF SYS_CONTEXT('USERENV', 'BG_JOB_ID') IS NOT NULL AND SYS_CONTEXT('USERENV', 'SESSION_USER') = p_schema THEN
    RETURN NULL;
  END IF;
  IF l_access IS NULL OR l_access <> 'USERS' THEN
    RETURN '1 = 0';
  END IF;
  l_users := one_of('U', SYS_CONTEXT('&owner._&prefix.ROWS', 'USER_TOTAL'));
  l_agents := one_of('A', SYS_CONTEXT('&owner._&prefix.ROWS', 'AGENT_TOTAL'));
  l_threads := 'thread_id IN (SELECT t.thread_id FROM &owner..&prefix.MEMORY_THREAD t WHERE t.user_id' || l_users || ')';
  IF p_table = UPPER('&prefix.MEMORY_JOB') THEN
    RETURN l_threads;
  END IF;
  IF p_table = UPPER('&prefix.MEMORY_REQUEST') THEN
    RETURN '(user_id' || l_users || ' OR (user_id IS NULL AND (thread_id IS NULL OR ' || l_threads || ')))';
  END IF;
  IF p_table IN (UPPER('&prefix.MEMORY_RECORD'), UPPER('&prefix.MEMORY_CHUNK'), UPPER('&prefix.MEMORY_HISTORY')) THEN
    RETURN '(CASE record_family WHEN ''user_profile'' THEN record_id ELSE user_id END' || l_users ||
      ' OR (record_family = ''agent_profile'' AND record_id' || l_agents || '))';
  END IF;
  RETURN 'user_id' || l_users;
END;
/
