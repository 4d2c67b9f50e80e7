-- The condition that Oracle adds to every statement on a table with a policy. NULL is no condition: for a session that
-- asked for every row, and for jobs that the owner has made, such as the purge of expired records; nobody else can make a
-- job that runs as the owner. Every other way out returns a condition, so that a session without a context sees nothing.
--
-- Values are not in the text: it depends on the table and on how many users there are. SYS_CONTEXT gives 256 bytes unless
-- it is told otherwise; an id has up to 512. The profile of a user has no other owner than its own id. Jobs have no user
-- and count by their thread. A request that is kept for its idempotency key has the user or the thread that it named, or
-- neither; it holds hashes and no text.

CREATE OR REPLACE FUNCTION &policy_admin..&prefix.MEMORY_ROW_PREDICATE(
  p_schema IN VARCHAR2,
  p_table IN VARCHAR2
) RETURN VARCHAR2
AUTHID DEFINER
IS
  l_access VARCHAR2(10 CHAR) := SYS_CONTEXT('&owner._&prefix.ROWS', 'ACCESS');
  l_total NUMBER := TO_NUMBER(SYS_CONTEXT('&owner._&prefix.ROWS', 'USER_TOTAL'));
  l_users VARCHAR2(32767 BYTE) := NULL;
  l_threads VARCHAR2(32767 BYTE) := NULL;
BEGIN
  IF l_access = 'EVERY' THEN
    RETURN NULL;
  END IF;
  IF SYS_CONTEXT('USERENV', 'BG_JOB_ID') IS NOT NULL AND SYS_CONTEXT('USERENV', 'SESSION_USER') = p_schema THEN
    RETURN NULL;
  END IF;
  IF l_access IS NULL OR l_access <> 'USERS' OR l_total IS NULL OR l_total = 0 THEN
    RETURN '1 = 0';
  END IF;
  FOR i IN 1 .. l_total LOOP
    IF i > 1 THEN
      l_users := l_users || ',';
    END IF;
    l_users := l_users || 'SYS_CONTEXT(''&owner._&prefix.ROWS'',''U' || TO_CHAR(i) || ''',512)';
  END LOOP;
  l_users := ' IN (' || l_users || ')';
  l_threads := 'thread_id IN (SELECT t.thread_id FROM &owner..&prefix.MEMORY_THREAD t WHERE t.user_id' || l_users || ')';
  IF p_table = '&prefix.MEMORY_JOB' THEN
    RETURN l_threads;
  END IF;
  IF p_table = '&prefix.MEMORY_REQUEST' THEN
    RETURN '(user_id' || l_users || ' OR (user_id IS NULL AND (thread_id IS NULL OR ' || l_threads || ')))';
  END IF;
  IF p_table IN ('&prefix.MEMORY_RECORD', '&prefix.MEMORY_CHUNK') THEN
    RETURN 'CASE record_family WHEN ''user_profile'' THEN record_id ELSE user_id END' || l_users;
  END IF;
  RETURN 'user_id' || l_users;
END;
/
