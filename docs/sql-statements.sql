-- Every SQL text that this program sends, for review. Made by npm run sql; a test keeps it up to date.
--
-- A statement stands here as it is sent: one query, or one block that is committed or undone as a whole. Each is one
-- request to the database; docs/architecture.md says how many a use case takes. Names are those of a store without a
-- prefix, vectors have 1536 numbers. Values are always bound: text = VARCHAR2, clob = CLOB, number = NUMBER.
--
-- Texts of one name are made of the same parts. Those shown hold every part of all, some with another number of words,
-- record types or parts of a metadata filter.

----------------------------------------------------------------------------------------------------------------------
-- Service
-- 479 texts; here: at least one of each name
----------------------------------------------------------------------------------------------------------------------

-- agents.count_cascade: what deleting an agent with all that is theirs would remove
--   binds: actor_id text, actor_family text
--   columns: record_total number
SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id)
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = :actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id))
      OR (r.record_family = :actor_family AND r.record_id = :actor_id)) AS record_total
FROM dual;

-- agents.delete_cascade: deletes an agent with threads, records, retrieval rows and jobs that are theirs
--   binds: actor_id text, actor_family text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_actor_id VARCHAR2(4000 CHAR) := :actor_id;
  l_actor_family VARCHAR2(4000 CHAR) := :actor_family;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.agent_id = l_actor_id;
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'agent', JSON_ARRAY(l_actor_id RETURNING CLOB), s.subject_total,
  NULL, l_actor_id, NULL, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id)
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = l_actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id))
      OR (r.record_family = l_actor_family AND r.record_id = l_actor_id)) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id);
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id);
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id);
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id);
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id) OR r.agent_id = l_actor_id;
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD r
WHERE r.agent_id = l_actor_id;
  :rows_8 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.agent_id = l_actor_id;
  :rows_9 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.agent_id = l_actor_id;
  :rows_10 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.agent_id = l_actor_id;
  :rows_11 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id;
  :rows_12 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id;
  :rows_13 := SQL%ROWCOUNT;
END;
/

-- audit.list: lists who wrote and deleted what, newest first
--   binds: before number, since text, page_rows number, row_limit number, character_limit number
--   columns: occurred_at timestamp, operation_id text, caller_id text, request_id text, subject text,
--     subject_ids json, subject_total number, audit_user_id text, audit_agent_id text, audit_thread_id text,
--     audit_position number, page_total number
WITH page AS (SELECT a.order_seq
  FROM MEMORY_AUDIT a
  WHERE a.order_seq < :before
    AND a.occurred_at >= TO_TIMESTAMP_TZ(:since, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
  ORDER BY a.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(LENGTH(a.subject_ids)) OVER (ORDER BY p.order_seq DESC) - LENGTH(a.subject_ids) AS size_before
  FROM page p
    JOIN MEMORY_AUDIT a ON a.order_seq = p.order_seq)
SELECT TO_CHAR(a.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS occurred_at, a.operation_id AS operation_id, a.caller_id AS caller_id,
  a.request_id AS request_id, a.subject AS subject, a.subject_ids AS subject_ids, a.subject_total AS subject_total,
  a.user_id AS audit_user_id, a.agent_id AS audit_agent_id, a.thread_id AS audit_thread_id,
  a.order_seq AS audit_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_AUDIT a ON a.order_seq = m.order_seq
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY a.order_seq DESC;

-- audit.list: lists who wrote and deleted what, newest first
--   binds: before number, since text, page_rows number, row_limit number, character_limit number, user_id text
--   columns: occurred_at timestamp, operation_id text, caller_id text, request_id text, subject text,
--     subject_ids json, subject_total number, audit_user_id text, audit_agent_id text, audit_thread_id text,
--     audit_position number, page_total number
WITH page AS (SELECT a.order_seq
  FROM MEMORY_AUDIT a
  WHERE a.order_seq < :before
    AND a.occurred_at >= TO_TIMESTAMP_TZ(:since, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    AND a.user_id = :user_id
  ORDER BY a.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(LENGTH(a.subject_ids)) OVER (ORDER BY p.order_seq DESC) - LENGTH(a.subject_ids) AS size_before
  FROM page p
    JOIN MEMORY_AUDIT a ON a.order_seq = p.order_seq)
SELECT TO_CHAR(a.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS occurred_at, a.operation_id AS operation_id, a.caller_id AS caller_id,
  a.request_id AS request_id, a.subject AS subject, a.subject_ids AS subject_ids, a.subject_total AS subject_total,
  a.user_id AS audit_user_id, a.agent_id AS audit_agent_id, a.thread_id AS audit_thread_id,
  a.order_seq AS audit_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_AUDIT a ON a.order_seq = m.order_seq
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY a.order_seq DESC;

-- audit.prune: purge: removes rows of the audit trail that were kept long enough
--   binds: kept_days number, row_limit number
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_kept_days NUMBER := :kept_days;
  l_row_limit NUMBER := :row_limit;
BEGIN
  DELETE FROM MEMORY_AUDIT a
WHERE a.occurred_at <= l_now - NUMTODSINTERVAL(l_kept_days, 'DAY') AND ROWNUM <= l_row_limit;
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- chunks.find_orphans: purge: retrieval rows without a record, a batch
--   binds: batch_size number
--   columns: record_family text, record_id text
SELECT DISTINCT c.record_family AS record_family, c.record_id AS record_id
FROM MEMORY_CHUNK c
WHERE NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id)
FETCH FIRST :batch_size ROWS ONLY;

-- chunks.purge_orphans: purge: removes the batch that was found
--   binds: record_keys clob
--   counts: rows_1
DECLARE
  l_record_keys CLOB := :record_keys;
BEGIN
  DELETE FROM MEMORY_CHUNK c
WHERE (c.record_family, c.record_id) IN (SELECT j.family, j.id FROM JSON_TABLE(l_record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- extraction.finish: end of a pass that found no memory: outcome of the job, watermark
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, author_caller text,
--     author_request text, superseding_operation text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_5 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_6 := SQL%ROWCOUNT;
END;
/

-- extraction.finish: end of a pass that found no memory: outcome of the job, watermark
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, author_caller text,
--     author_request text, superseding_operation text, request_key text, request_hash text, request_thread_id text,
--     request_user_id text, request_agent_id text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
  l_request_key VARCHAR2(4000 CHAR) := :request_key;
  l_request_hash VARCHAR2(4000 CHAR) := :request_hash;
  l_request_thread_id VARCHAR2(4000 CHAR) := :request_thread_id;
  l_request_user_id VARCHAR2(4000 CHAR) := :request_user_id;
  l_request_agent_id VARCHAR2(4000 CHAR) := :request_agent_id;
BEGIN
  INSERT INTO MEMORY_REQUEST (request_key, request_hash, thread_id, user_id, agent_id, created_at)
SELECT l_request_key, l_request_hash, l_request_thread_id, l_request_user_id, l_request_agent_id, l_now
FROM dual
WHERE NOT EXISTS (SELECT 1 FROM MEMORY_REQUEST q WHERE q.request_key = l_request_key);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'a request with this idempotency key was carried out');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_4 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_5 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_6 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_7 := SQL%ROWCOUNT;
  UPDATE MEMORY_REQUEST q
SET q.job_id = l_job_id,
  q.thread_id = NVL(q.thread_id, (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)),
  q.job_state = (SELECT JSON_OBJECT(
      'status' VALUE j.status,
      'attempt' VALUE j.attempt,
      'maxAttempts' VALUE j.max_attempts,
      'nextAttemptAt' VALUE TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"'),
      'reasonCode' VALUE j.reason_code,
      'reasonDetail' VALUE j.reason_detail,
      'llmCalls' VALUE j.llm_calls,
      'promptTokens' VALUE j.prompt_tokens,
      'completionTokens' VALUE j.completion_tokens,
      'startedAt' VALUE TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"'),
      'finishedAt' VALUE TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"')
      RETURNING CLOB)
    FROM MEMORY_JOB j
    WHERE j.job_id = l_job_id)
WHERE q.request_key = l_request_key;
  :rows_8 := SQL%ROWCOUNT;
END;
/

-- extraction.finish_with_memories: end of a pass: memories, superseded ones, outcome of the job, watermark
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, author_caller text,
--     author_request text, superseding_operation text, author_operation text, records clob, chunks clob,
--     memory_total number, position_sum number
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_memory_total NUMBER := :memory_total;
  l_position_sum NUMBER := :position_sum;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.order_seq = (SELECT MIN(f.order_seq)
  FROM MEMORY_THREAD o
    JOIN MEMORY_THREAD f ON f.user_id = o.user_id AND f.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
  AND EXISTS (SELECT 1 FROM (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id) AND r.record_family = 'memory') m
    WHERE m.memory_total = l_memory_total AND m.position_sum = l_position_sum);
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'memories of the same user and agent were added or removed meanwhile');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_4 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
ORDER BY j.ordinal;
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_memory_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_9 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_11 := SQL%ROWCOUNT;
END;
/

-- extraction.finish_with_memories_with_summary: the same with a new running summary
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, summary clob,
--     summarized_seq number, author_caller text, author_request text, superseding_operation text,
--     author_operation text, records clob, chunks clob, memory_total number, position_sum number
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_summary CLOB := :summary;
  l_summarized_seq NUMBER := :summarized_seq;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_memory_total NUMBER := :memory_total;
  l_position_sum NUMBER := :position_sum;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.order_seq = (SELECT MIN(f.order_seq)
  FROM MEMORY_THREAD o
    JOIN MEMORY_THREAD f ON f.user_id = o.user_id AND f.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
  AND EXISTS (SELECT 1 FROM (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id) AND r.record_family = 'memory') m
    WHERE m.memory_total = l_memory_total AND m.position_sum = l_position_sum);
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'memories of the same user and agent were added or removed meanwhile');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_4 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.running_summary = l_summary, t.summarized_seq = l_summarized_seq,
  t.summary_stale = CASE WHEN t.summary_stale = 1
      AND t.updated_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
    THEN 1 ELSE 0 END,
  t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
    WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= l_summarized_seq
      AND (r.expires_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id) OR r.updated_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id)))
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id) AND (t.summarized_seq < l_summarized_seq OR (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP));
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
ORDER BY j.ordinal;
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_memory_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_9 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_11 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_12 := SQL%ROWCOUNT;
END;
/

-- extraction.finish_with_summary: end of a pass that found no memory, with a new running summary
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, summary clob,
--     summarized_seq number, author_caller text, author_request text, superseding_operation text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_summary CLOB := :summary;
  l_summarized_seq NUMBER := :summarized_seq;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.running_summary = l_summary, t.summarized_seq = l_summarized_seq,
  t.summary_stale = CASE WHEN t.summary_stale = 1
      AND t.updated_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
    THEN 1 ELSE 0 END,
  t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
    WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= l_summarized_seq
      AND (r.expires_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id) OR r.updated_at > (SELECT j.started_at FROM MEMORY_JOB j WHERE j.job_id = l_job_id)))
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id) AND (t.summarized_seq < l_summarized_seq OR (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP));
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_4 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_5 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_6 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_7 := SQL%ROWCOUNT;
END;
/

-- extraction.read_input: begin of a pass: the messages of its job, under its lease
--   binds: character_limit number, newest_count number, newest_characters number, job_id text, lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- extraction.read_input_with_memories: the same with a search for memories near messages that are known before
--   binds: query_vector clob, search_thread text, type_1 text, type_2 text, type_3 text, type_4 text,
--     boost_factor number, max_results number, hit_character_limit number, character_limit number,
--     newest_count number, newest_characters number, job_id text, lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) * CASE WHEN c.thread_id = :search_thread THEN :boost_factor ELSE 1 END AS distance
  FROM MEMORY_CHUNK c
  WHERE c.embedding IS NOT NULL
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4)),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head
  UNION ALL
  SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place
  FROM fitting f)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- extraction.read_input_with_memories: the same with a search for memories near messages that are known before
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, search_thread text, type_1 text,
--     type_2 text, type_3 text, type_4 text, boost_factor number, max_results number, hit_character_limit number,
--     character_limit number, newest_count number, newest_characters number, job_id text, lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
seen AS (
  SELECT c.record_family, c.record_id, c.record_type, CASE WHEN c.thread_id = :search_thread THEN :boost_factor ELSE 1 END AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head
  UNION ALL
  SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place
  FROM fitting f)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- extraction.read_newest_memories: end of a pass: memories that new ones are compared with, read again
--   binds: job_id text, lease_token text, newest_count number, newest_characters number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     memory_total number, position_sum number, newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
newest AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters)
SELECT y.memory_total AS memory_total, y.position_sum AS position_sum, n.newest_place AS newest_place,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  LEFT OUTER JOIN newest n ON n.newest_place <= :newest_count
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = 'memory' AND m.record_id = n.record_id;

-- history.find_orphans: purge: earlier forms of memories that are gone, a batch
--   binds: batch_size number
--   columns: record_family text, record_id text
SELECT DISTINCT c.record_family AS record_family, c.record_id AS record_id
FROM MEMORY_HISTORY c
WHERE NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id)
FETCH FIRST :batch_size ROWS ONLY;

-- history.list: lists earlier forms of a memory, newest first
--   binds: record_id text, before number, page_rows number, row_limit number, character_limit number
--   columns: form_type text, form_content text, form_content_empty boolean, form_metadata json,
--     form_event_at timestamp, form_expires_at timestamp, form_status text, form_at timestamp, replaced_at timestamp,
--     operation_id text, caller_id text, request_id text, form_position number, page_total number
WITH page AS (SELECT h.order_seq
  FROM MEMORY_HISTORY h
  WHERE h.record_family = 'memory' AND h.record_id = :record_id AND h.order_seq < :before
  ORDER BY h.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM((NVL(LENGTH(h.content), 0) + LENGTH(JSON_SERIALIZE(h.metadata RETURNING CLOB)))) OVER (ORDER BY p.order_seq DESC) - (NVL(LENGTH(h.content), 0) + LENGTH(JSON_SERIALIZE(h.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_HISTORY h ON h.order_seq = p.order_seq)
SELECT f.record_type AS form_type, f.content AS form_content, f.content_empty AS form_content_empty,
  JSON_SERIALIZE(f.metadata RETURNING CLOB) AS form_metadata,
  TO_CHAR(f.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_event_at,
  TO_CHAR(f.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_expires_at, f.status AS form_status,
  TO_CHAR(f.form_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_at, TO_CHAR(f.replaced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS replaced_at,
  f.operation_id AS operation_id, f.caller_id AS caller_id, f.request_id AS request_id,
  f.order_seq AS form_position, (SELECT COUNT(*) FROM page) AS page_total
FROM MEMORY_RECORD r
  LEFT OUTER JOIN measured m ON m.newest_rank <= :row_limit AND m.size_before < :character_limit
  LEFT OUTER JOIN MEMORY_HISTORY f ON f.order_seq = m.order_seq
WHERE r.record_family = 'memory' AND r.record_id = :record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
ORDER BY f.order_seq DESC;

-- history.purge_orphans: purge: removes the batch that was found
--   binds: record_keys clob
--   counts: rows_1
DECLARE
  l_record_keys CLOB := :record_keys;
BEGIN
  DELETE FROM MEMORY_HISTORY c
WHERE (c.record_family, c.record_id) IN (SELECT j.family, j.id FROM JSON_TABLE(l_record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- jobs.admit: puts a job that found a full queue into it
--   binds: job_id text, queue_capacity number
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_queue_capacity NUMBER := :queue_capacity;
BEGIN
  UPDATE MEMORY_JOB j
SET j.status = 'pending', j.next_attempt_at = l_now, j.woken_at = NULL, j.finished_at = NULL,
  j.reason_code = NULL, j.reason_detail = NULL
WHERE j.job_id = l_job_id AND j.status = 'cancelled' AND j.reason_code = 'extraction_queue_full'
  AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_JOB j
SET j.attempt = j.attempt
WHERE j.job_id = l_job_id AND j.status <> 'cancelled';
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- jobs.cancel: cancels a job
--   binds: job_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_JOB j
SET j.attempt = j.attempt
WHERE j.job_id = l_job_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'job not found');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = 'cancelled', j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now
WHERE j.job_id = l_job_id AND j.status IN ('pending', 'running');
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'only a pending or running job can be cancelled');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'job', JSON_ARRAY(j.job_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_JOB j
  JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
WHERE j.job_id = l_job_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- jobs.claim: retries a job in the request
--   binds: job_id text, lease_token text, lease_seconds number, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_JOB j
SET j.attempt = j.attempt
WHERE j.job_id = l_job_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'job not found');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = 'running', j.attempt = j.attempt + 1,
  j.max_attempts = GREATEST(j.max_attempts, j.attempt + 1),
  j.lease_token = l_lease_token, j.lease_until = l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'),
  j.next_attempt_at = NULL, j.reason_code = NULL, j.reason_detail = NULL,
  j.started_at = l_now, j.finished_at = NULL
WHERE j.job_id = l_job_id AND j.status IN ('failed', 'dead', 'cancelled');
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'only a failed, dead or cancelled job can be retried');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'job', JSON_ARRAY(j.job_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_JOB j
  JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
WHERE j.job_id = l_job_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- jobs.claim_due: worker: takes a job that is due, under a lease
--   binds: job_id text, lease_token text, lease_seconds number, user_limit number
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_user_limit NUMBER := :user_limit;
BEGIN
  UPDATE MEMORY_JOB j
SET j.status = 'dead', j.lost_attempts = j.lost_attempts + 1, j.lease_token = NULL, j.lease_until = NULL,
  j.finished_at = l_now, j.reason_code = 'worker_lost',
  j.reason_detail = CASE WHEN j.lost_attempts + 1 >= 3
    THEN 'The worker of 3 attempts ended without an outcome.'
    ELSE 'The worker of the last attempt ended without an outcome.' END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_until <= l_now
  AND (j.lost_attempts + 1 >= 3 OR j.attempt >= j.max_attempts);
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_JOB j
SET j.lost_attempts = j.lost_attempts + CASE WHEN j.status = 'running' THEN 1 ELSE 0 END,
  j.status = 'running', j.attempt = j.attempt + 1, j.lease_token = l_lease_token, j.lease_until = l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'),
  j.next_attempt_at = NULL, j.woken_at = NULL, j.reason_code = NULL, j.reason_detail = NULL, j.started_at = l_now
WHERE j.job_id = l_job_id AND (j.status = 'pending' AND (j.next_attempt_at IS NULL OR j.next_attempt_at <= l_now)
    OR j.status = 'running' AND j.lease_until <= l_now)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB f
    WHERE f.thread_id = j.thread_id AND f.status IN ('pending', 'running') AND f.order_seq < j.order_seq)
  AND (SELECT COUNT(*) FROM MEMORY_JOB g
      JOIN MEMORY_THREAD w ON w.thread_id = g.thread_id
    WHERE g.status = 'running' AND g.started_at > g.created_at AND g.lease_until > l_now AND w.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = j.thread_id)) < l_user_limit;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- jobs.end_lost: sweep: ends jobs whose workers died
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
BEGIN
  UPDATE MEMORY_JOB j
SET j.status = 'dead', j.lost_attempts = j.lost_attempts + 1, j.lease_token = NULL, j.lease_until = NULL,
  j.finished_at = l_now, j.reason_code = 'worker_lost',
  j.reason_detail = CASE WHEN j.lost_attempts + 1 >= 3
    THEN 'The worker of 3 attempts ended without an outcome.'
    ELSE 'The worker of the last attempt ended without an outcome.' END
WHERE j.status = 'running' AND j.lease_until <= l_now
  AND (j.lost_attempts + 1 >= 3 OR j.attempt >= j.max_attempts);
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- jobs.find_due: sweep: jobs that wait for a worker and have none
--   binds: grace_seconds number, quiet_seconds number, row_limit number
--   columns: job_id text
SELECT j.job_id AS job_id
FROM MEMORY_JOB j
WHERE (j.status = 'pending' AND NVL(j.next_attempt_at, j.created_at) <= SYSTIMESTAMP - NUMTODSINTERVAL(:grace_seconds, 'SECOND')
    OR j.status = 'running' AND j.lease_until <= SYSTIMESTAMP)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB f
    WHERE f.thread_id = j.thread_id AND f.status IN ('pending', 'running') AND f.order_seq < j.order_seq)
  AND (j.woken_at IS NULL OR j.woken_at <= SYSTIMESTAMP - NUMTODSINTERVAL(:quiet_seconds, 'SECOND'))
ORDER BY j.order_seq
FETCH FIRST :row_limit ROWS ONLY;

-- jobs.find_next: worker: jobs that may run now that one has ended
--   binds: job_id text, user_limit number, row_limit number
--   columns: job_id text, user_room number
WITH ended AS (SELECT o.user_id
  FROM MEMORY_JOB d
    JOIN MEMORY_THREAD o ON o.thread_id = d.thread_id
  WHERE d.job_id = :job_id)
SELECT j.job_id AS job_id, :user_limit - (SELECT COUNT(*) FROM MEMORY_JOB g
      JOIN MEMORY_THREAD w ON w.thread_id = g.thread_id
    WHERE g.status = 'running' AND g.started_at > g.created_at AND g.lease_until > SYSTIMESTAMP AND w.user_id = e.user_id) AS user_room
FROM ended e
  JOIN MEMORY_THREAD t ON t.user_id = e.user_id
  JOIN MEMORY_JOB j ON j.thread_id = t.thread_id
WHERE j.status = 'pending' AND (j.next_attempt_at IS NULL OR j.next_attempt_at <= SYSTIMESTAMP)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB f
    WHERE f.thread_id = j.thread_id AND f.status IN ('pending', 'running') AND f.order_seq < j.order_seq)
ORDER BY j.order_seq
FETCH FIRST :row_limit ROWS ONLY;

-- jobs.find_old: sweep: jobs that ended long ago, a batch
--   binds: kept_days number, row_limit number
--   columns: job_id text
SELECT j.job_id AS job_id
FROM MEMORY_JOB j
WHERE j.finished_at <= SYSTIMESTAMP - NUMTODSINTERVAL(:kept_days, 'DAY')
FETCH FIRST :row_limit ROWS ONLY;

-- jobs.get: reads a job
--   binds: job_id text
--   columns: job_id text, job_thread_id text, job_status text, attempt number, max_attempts number,
--     next_attempt_at timestamp, reason_code text, reason_detail text, message_ids json, memory_ids json,
--     llm_calls number, prompt_tokens number, completion_tokens number, job_created_at timestamp,
--     started_at timestamp, finished_at timestamp
SELECT j.job_id AS job_id,
  j.thread_id AS job_thread_id,
  j.status AS job_status,
  j.attempt AS attempt,
  j.max_attempts AS max_attempts,
  TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS next_attempt_at,
  j.reason_code AS reason_code,
  j.reason_detail AS reason_detail,
  j.message_ids AS message_ids,
  j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls,
  j.prompt_tokens AS prompt_tokens,
  j.completion_tokens AS completion_tokens,
  TO_CHAR(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS job_created_at,
  TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS started_at,
  TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS finished_at
FROM MEMORY_JOB j
WHERE j.job_id = :job_id;

-- jobs.list: lists jobs, newest first
--   binds: before number, page_rows number, row_limit number, character_limit number
--   columns: job_id text, job_thread_id text, job_status text, attempt number, max_attempts number,
--     next_attempt_at timestamp, reason_code text, reason_detail text, message_ids json, memory_ids json,
--     llm_calls number, prompt_tokens number, completion_tokens number, job_created_at timestamp,
--     started_at timestamp, finished_at timestamp, job_position number, page_total number
WITH page AS (SELECT j.job_id, j.order_seq
  FROM MEMORY_JOB j
  WHERE j.order_seq < :before
  ORDER BY j.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.job_id, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) OVER (ORDER BY p.order_seq DESC) - (NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) AS size_before
  FROM page p
    JOIN MEMORY_JOB j ON j.job_id = p.job_id)
SELECT j.job_id AS job_id,
  j.thread_id AS job_thread_id,
  j.status AS job_status,
  j.attempt AS attempt,
  j.max_attempts AS max_attempts,
  TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS next_attempt_at,
  j.reason_code AS reason_code,
  j.reason_detail AS reason_detail,
  j.message_ids AS message_ids,
  j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls,
  j.prompt_tokens AS prompt_tokens,
  j.completion_tokens AS completion_tokens,
  TO_CHAR(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS job_created_at,
  TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS started_at,
  TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS finished_at,
  j.order_seq AS job_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_JOB j ON j.job_id = m.job_id
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY j.order_seq DESC;

-- jobs.list: lists jobs, newest first
--   binds: before number, page_rows number, row_limit number, character_limit number, thread_id text, job_status text
--   columns: job_id text, job_thread_id text, job_status text, attempt number, max_attempts number,
--     next_attempt_at timestamp, reason_code text, reason_detail text, message_ids json, memory_ids json,
--     llm_calls number, prompt_tokens number, completion_tokens number, job_created_at timestamp,
--     started_at timestamp, finished_at timestamp, job_position number, page_total number
WITH page AS (SELECT j.job_id, j.order_seq
  FROM MEMORY_JOB j
  WHERE j.order_seq < :before AND j.thread_id = :thread_id AND j.status = :job_status
  ORDER BY j.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.job_id, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) OVER (ORDER BY p.order_seq DESC) - (NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) AS size_before
  FROM page p
    JOIN MEMORY_JOB j ON j.job_id = p.job_id)
SELECT j.job_id AS job_id,
  j.thread_id AS job_thread_id,
  j.status AS job_status,
  j.attempt AS attempt,
  j.max_attempts AS max_attempts,
  TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS next_attempt_at,
  j.reason_code AS reason_code,
  j.reason_detail AS reason_detail,
  j.message_ids AS message_ids,
  j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls,
  j.prompt_tokens AS prompt_tokens,
  j.completion_tokens AS completion_tokens,
  TO_CHAR(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS job_created_at,
  TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS started_at,
  TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS finished_at,
  j.order_seq AS job_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_JOB j ON j.job_id = m.job_id
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY j.order_seq DESC;

-- jobs.mark_woken: sweep: notes that wake-ups were sent
--   binds: job_ids clob
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_ids CLOB := :job_ids;
BEGIN
  UPDATE MEMORY_JOB j
SET j.woken_at = l_now
WHERE j.job_id IN (SELECT d.job_id
    FROM JSON_TABLE(l_job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      job_id VARCHAR2(128 CHAR) PATH '$')) d)
  AND (j.status = 'pending' OR j.status = 'running' AND j.lease_until <= l_now);
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- jobs.prune: sweep: removes the batch that was found
--   binds: job_ids clob, kept_days number
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_ids CLOB := :job_ids;
  l_kept_days NUMBER := :kept_days;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = GREATEST(t.extracted_seq,
  NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j WHERE j.kind = 'extraction' AND j.finished_at <= l_now - NUMTODSINTERVAL(l_kept_days, 'DAY')
    AND j.job_id IN (SELECT d.job_id
      FROM JSON_TABLE(l_job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        job_id VARCHAR2(128 CHAR) PATH '$')) d) AND j.thread_id = t.thread_id), 0))
WHERE t.thread_id IN (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.kind = 'extraction' AND j.finished_at <= l_now - NUMTODSINTERVAL(l_kept_days, 'DAY')
    AND j.job_id IN (SELECT d.job_id
      FROM JSON_TABLE(l_job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        job_id VARCHAR2(128 CHAR) PATH '$')) d));
  :rows_1 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB j
WHERE j.finished_at <= l_now - NUMTODSINTERVAL(l_kept_days, 'DAY')
    AND j.job_id IN (SELECT d.job_id
      FROM JSON_TABLE(l_job_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        job_id VARCHAR2(128 CHAR) PATH '$')) d);
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- jobs.read_extraction_progress: waiting for extraction: jobs of a thread by state
--   binds: thread_id text, upto_position number
--   columns: newest_position number, unfinished_jobs number, succeeded_jobs number, failed_jobs number
SELECT p.newest_position AS newest_position, p.unfinished_jobs AS unfinished_jobs,
  p.succeeded_jobs AS succeeded_jobs, p.failed_jobs AS failed_jobs
FROM MEMORY_THREAD t
  LEFT OUTER JOIN (SELECT j.thread_id, MAX(j.order_seq) AS newest_position,
      SUM(CASE WHEN j.status IN ('pending', 'running') THEN 1 ELSE 0 END) AS unfinished_jobs,
      SUM(CASE WHEN j.status IN ('succeeded') THEN 1 ELSE 0 END) AS succeeded_jobs,
      SUM(CASE WHEN j.status IN ('failed', 'dead', 'cancelled') THEN 1 ELSE 0 END) AS failed_jobs
    FROM MEMORY_JOB j
    WHERE j.thread_id = :thread_id AND (:upto_position IS NULL OR j.order_seq <= :upto_position)
    GROUP BY j.thread_id) p ON p.thread_id = t.thread_id
WHERE t.thread_id = :thread_id;

-- jobs.read_thread_extraction: extraction state of a thread
--   binds: thread_id text, latest_jobs number, character_limit number
--   columns: job_id text, job_thread_id text, job_status text, attempt number, max_attempts number,
--     next_attempt_at timestamp, reason_code text, reason_detail text, message_ids json, memory_ids json,
--     llm_calls number, prompt_tokens number, completion_tokens number, job_created_at timestamp,
--     started_at timestamp, finished_at timestamp, pending_jobs number, running_jobs number, succeeded_jobs number,
--     failed_jobs number, dead_jobs number, cancelled_jobs number
WITH totals AS (SELECT j.thread_id, SUM(CASE WHEN j.status = 'pending' THEN 1 ELSE 0 END) AS pending_jobs,
    SUM(CASE WHEN j.status = 'running' THEN 1 ELSE 0 END) AS running_jobs,
    SUM(CASE WHEN j.status = 'succeeded' THEN 1 ELSE 0 END) AS succeeded_jobs,
    SUM(CASE WHEN j.status = 'failed' THEN 1 ELSE 0 END) AS failed_jobs,
    SUM(CASE WHEN j.status = 'dead' THEN 1 ELSE 0 END) AS dead_jobs,
    SUM(CASE WHEN j.status = 'cancelled' THEN 1 ELSE 0 END) AS cancelled_jobs
  FROM MEMORY_JOB j
  WHERE j.thread_id = :thread_id
  GROUP BY j.thread_id),
ranked AS (SELECT j.job_id, ROW_NUMBER() OVER (ORDER BY j.order_seq DESC) AS newest_rank
  FROM MEMORY_JOB j
  WHERE j.thread_id = :thread_id),
measured AS (SELECT k.job_id, k.newest_rank,
    SUM(NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) OVER (ORDER BY k.newest_rank) - (NVL(LENGTH(j.message_ids), 0) + NVL(LENGTH(j.memory_ids), 0)) AS size_before
  FROM ranked k
    JOIN MEMORY_JOB j ON j.job_id = k.job_id
  WHERE k.newest_rank <= :latest_jobs)
SELECT s.pending_jobs AS pending_jobs, s.running_jobs AS running_jobs, s.succeeded_jobs AS succeeded_jobs, s.failed_jobs AS failed_jobs, s.dead_jobs AS dead_jobs, s.cancelled_jobs AS cancelled_jobs,
  j.job_id AS job_id,
  j.thread_id AS job_thread_id,
  j.status AS job_status,
  j.attempt AS attempt,
  j.max_attempts AS max_attempts,
  TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS next_attempt_at,
  j.reason_code AS reason_code,
  j.reason_detail AS reason_detail,
  j.message_ids AS message_ids,
  j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls,
  j.prompt_tokens AS prompt_tokens,
  j.completion_tokens AS completion_tokens,
  TO_CHAR(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS job_created_at,
  TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS started_at,
  TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS finished_at
FROM MEMORY_THREAD t
  LEFT OUTER JOIN totals s ON s.thread_id = t.thread_id
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN MEMORY_JOB j ON j.job_id = m.job_id
WHERE t.thread_id = :thread_id
ORDER BY m.newest_rank;

-- jobs.release: worker: an attempt ended without an outcome
--   binds: job_id text, lease_token text, reason_code text, reason_detail text, retry_seconds clob,
--     retry_total number, uncounted number, llm_calls number, prompt_tokens number, completion_tokens number
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_retry_seconds CLOB := :retry_seconds;
  l_retry_total NUMBER := :retry_total;
  l_uncounted NUMBER := :uncounted;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
BEGIN
  UPDATE MEMORY_JOB j
SET j.status = 'dead', j.finished_at = l_now,
  j.lease_token = NULL, j.lease_until = NULL, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.attempt - l_uncounted >= j.max_attempts;
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_JOB j
SET j.status = 'pending', j.attempt = j.attempt - l_uncounted,
  j.next_attempt_at = l_now + NUMTODSINTERVAL((SELECT d.seconds
    FROM JSON_TABLE(l_retry_seconds, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      ordinal FOR ORDINALITY,
      seconds NUMBER PATH '$')) d
    WHERE d.ordinal = LEAST(j.attempt, l_retry_total)), 'SECOND'),
  j.lease_token = NULL, j.lease_until = NULL, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- jobs.renew_lease: worker: goes on holding a job
--   binds: job_id text, lease_token text, lease_seconds number
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
BEGIN
  UPDATE MEMORY_JOB j
SET j.lease_until = l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND')
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- jobs.requeue: retries a job in the background
--   binds: job_id text, max_attempts number, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_JOB j
SET j.attempt = j.attempt
WHERE j.job_id = l_job_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'job not found');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = 'pending', j.next_attempt_at = l_now, j.woken_at = NULL, j.finished_at = NULL,
  j.reason_code = NULL, j.reason_detail = NULL,
  j.attempt = 0, j.max_attempts = l_max_attempts, j.lost_attempts = 0, j.started_at = NULL
WHERE j.job_id = l_job_id AND j.status IN ('failed', 'dead', 'cancelled');
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'only a failed, dead or cancelled job can be retried');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'job', JSON_ARRAY(j.job_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_JOB j
  JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
WHERE j.job_id = l_job_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- messages.after: reads messages after a place in a thread
--   binds: thread_id text, wanted number, character_limit number, after_seq number
--   columns: message_id text, message_seq number, message_role text, message_content text, message_metadata json,
--     message_time timestamp, total number, first_index number
WITH visible_message AS (SELECT r.record_id, r.message_seq, ROW_NUMBER() OVER (ORDER BY r.message_seq) AS window_position
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
head AS (SELECT t.thread_id, v.total, (SELECT COUNT(*) FROM visible_message b WHERE b.message_seq <= :after_seq) AS first_index
  FROM MEMORY_THREAD t
    CROSS JOIN (SELECT COUNT(*) AS total FROM visible_message) v
  WHERE t.thread_id = :thread_id),
measured AS (SELECT v.record_id, v.window_position,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY v.window_position) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM visible_message v
    CROSS JOIN head h
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = v.record_id
  WHERE v.window_position > h.first_index AND v.window_position <= h.first_index + :wanted)
SELECT h.total AS total, h.first_index AS first_index,
  r.record_id AS message_id,
  r.message_seq AS message_seq,
  r.message_role AS message_role,
  r.content AS message_content,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = m.record_id;

-- messages.append: adds messages with retrieval rows, and the extraction job that becomes due
--   binds: thread_id text, message_total number, messages clob, chunks clob, job_id text, max_attempts number,
--     lease_token text, lease_seconds number, queue_capacity number, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_message_total NUMBER := :message_total;
  l_messages CLOB := :messages;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count + l_message_total, t.updated_at = l_now
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  message_seq, message_role, content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT 'message', j.record_id, 'message', t.thread_id, t.user_id, t.agent_id,
  t.message_count - l_message_total + j.ordinal, j.message_role, j.content, j.content_empty,
  JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  CROSS JOIN MEMORY_THREAD t
WHERE t.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'extraction', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT s.thread_id, s.extraction_mode, s.frequency, s.message_count AS upto_seq,
    CASE WHEN s.frequency = -1 THEN s.message_count - l_message_total ELSE s.covered_seq END + 1 AS from_seq
  FROM (SELECT t.thread_id, t.message_count,
      JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode,
      JSON_VALUE(t.config, '$.extraction.memoryExtractionFrequency' RETURNING NUMBER) AS frequency,
      GREATEST(t.extracted_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
        WHERE j.thread_id = l_thread_id AND j.kind = 'extraction'), 0)) AS covered_seq
    FROM MEMORY_THREAD t
    WHERE t.thread_id = l_thread_id
      AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) s) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_4 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'extraction', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT s.thread_id, s.extraction_mode, s.frequency, s.message_count AS upto_seq,
    CASE WHEN s.frequency = -1 THEN s.message_count - l_message_total ELSE s.covered_seq END + 1 AS from_seq
  FROM (SELECT t.thread_id, t.message_count,
      JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode,
      JSON_VALUE(t.config, '$.extraction.memoryExtractionFrequency' RETURNING NUMBER) AS frequency,
      GREATEST(t.extracted_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
        WHERE j.thread_id = l_thread_id AND j.kind = 'extraction'), 0)) AS covered_seq
    FROM MEMORY_THREAD t
    WHERE t.thread_id = l_thread_id
      AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) s) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'extraction', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT s.thread_id, s.extraction_mode, s.frequency, s.message_count AS upto_seq,
    CASE WHEN s.frequency = -1 THEN s.message_count - l_message_total ELSE s.covered_seq END + 1 AS from_seq
  FROM (SELECT t.thread_id, t.message_count,
      JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode,
      JSON_VALUE(t.config, '$.extraction.memoryExtractionFrequency' RETURNING NUMBER) AS frequency,
      GREATEST(t.extracted_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
        WHERE j.thread_id = l_thread_id AND j.kind = 'extraction'), 0)) AS covered_seq
    FROM MEMORY_THREAD t
    WHERE t.thread_id = l_thread_id
      AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) s) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_7 := SQL%ROWCOUNT;
END;
/

-- messages.append_without_model: the same without a language model
--   binds: thread_id text, message_total number, messages clob, chunks clob, job_id text, max_attempts number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_message_total NUMBER := :message_total;
  l_messages CLOB := :messages;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count + l_message_total, t.updated_at = l_now
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  message_seq, message_role, content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT 'message', j.record_id, 'message', t.thread_id, t.user_id, t.agent_id,
  t.message_count - l_message_total + j.ordinal, j.message_role, j.content, j.content_empty,
  JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  CROSS JOIN MEMORY_THREAD t
WHERE t.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'extraction', d.thread_id, 'failed', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'unsupported', 'Extraction needs a language model and none is configured.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT s.thread_id, s.extraction_mode, s.frequency, s.message_count AS upto_seq,
    CASE WHEN s.frequency = -1 THEN s.message_count - l_message_total ELSE s.covered_seq END + 1 AS from_seq
  FROM (SELECT t.thread_id, t.message_count,
      JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode,
      JSON_VALUE(t.config, '$.extraction.memoryExtractionFrequency' RETURNING NUMBER) AS frequency,
      GREATEST(t.extracted_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
        WHERE j.thread_id = l_thread_id AND j.kind = 'extraction'), 0)) AS covered_seq
    FROM MEMORY_THREAD t
    WHERE t.thread_id = l_thread_id
      AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) s) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode IN ('inline', 'background');
  :rows_4 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_5 := SQL%ROWCOUNT;
END;
/

-- messages.delete: deletes a message
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- messages.delete: deletes a message
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text,
--     record_type text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_record_type VARCHAR2(4000 CHAR) := :record_type;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.record_type = l_record_type) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.record_type = l_record_type;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.record_type = l_record_type;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- messages.delete_from_thread: deletes a message of one thread
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text,
--     thread_id text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- messages.edit: changes a message and its text, and starts the extraction over it
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, chunks clob,
--     job_id text, max_attempts number, lease_token text, lease_seconds number, queue_capacity number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.updated_at = l_now
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id);
  :rows_2 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_9 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.expires_at = NULL
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_11 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK c
SET c.expires_at = (SELECT r.expires_at FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_12 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= t.summarized_seq
    AND (r.expires_at > l_now OR r.record_id = l_record_id))
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id)
  AND (t.summary_expires_at IS NULL OR t.summary_expires_at > l_now);
  :rows_13 := SQL%ROWCOUNT;
END;
/

-- messages.edit: changes a message and its text, and starts the extraction over it
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, ttl_days number,
--     chunks clob, job_id text, max_attempts number, lease_token text, lease_seconds number, queue_capacity number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_ttl_days NUMBER := :ttl_days;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.updated_at = l_now
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id);
  :rows_2 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_9 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.expires_at = r.created_at + NUMTODSINTERVAL(l_ttl_days, 'DAY')
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_11 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK c
SET c.expires_at = (SELECT r.expires_at FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_12 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= t.summarized_seq
    AND (r.expires_at > l_now OR r.record_id = l_record_id))
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id)
  AND (t.summary_expires_at IS NULL OR t.summary_expires_at > l_now);
  :rows_13 := SQL%ROWCOUNT;
END;
/

-- messages.edit: changes a message and its text, and starts the extraction over it
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, ttl_days number,
--     chunks clob, job_id text, max_attempts number, lease_token text, lease_seconds number, queue_capacity number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_ttl_days NUMBER := :ttl_days;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.updated_at = l_now
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id);
  :rows_2 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_9 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.expires_at = CASE WHEN r.event_at > TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') - NUMTODSINTERVAL(l_ttl_days, 'DAY') THEN TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE r.event_at + NUMTODSINTERVAL(l_ttl_days, 'DAY') END
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_11 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.event_at IS NOT NULL;
  :rows_12 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'the record has no timestamp');
  END IF;
  UPDATE MEMORY_CHUNK c
SET c.expires_at = (SELECT r.expires_at FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_13 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= t.summarized_seq
    AND (r.expires_at > l_now OR r.record_id = l_record_id))
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id)
  AND (t.summary_expires_at IS NULL OR t.summary_expires_at > l_now);
  :rows_14 := SQL%ROWCOUNT;
END;
/

-- messages.edit: changes a message and its text, and starts the extraction over it
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, metadata clob,
--     chunks clob, job_id text, max_attempts number, lease_token text, lease_seconds number, queue_capacity number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_metadata CLOB := :metadata;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_3 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_9 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.metadata = JSON(l_metadata)
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_10 := SQL%ROWCOUNT;
END;
/

-- messages.edit_fields: changes metadata or expiry of a message
--   binds: record_family text, record_id text, thread_id text
--   counts: rows_1, rows_2
DECLARE
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
END;
/

-- messages.edit_without_model: changes a message and its text without a language model
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, metadata clob,
--     chunks clob, job_id text, max_attempts number, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_metadata CLOB := :metadata;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_3 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'failed', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'unsupported', 'Extraction needs a language model and none is configured.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode IN ('inline', 'background');
  :rows_7 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.metadata = JSON(l_metadata)
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_8 := SQL%ROWCOUNT;
END;
/

-- messages.newest: reads the newest messages of a thread
--   binds: thread_id text, wanted number, character_limit number
--   columns: message_id text, message_seq number, message_role text, message_content text, message_metadata json,
--     message_time timestamp, total number, first_index number
WITH visible_message AS (SELECT r.record_id, r.message_seq, ROW_NUMBER() OVER (ORDER BY r.message_seq) AS window_position
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
head AS (SELECT t.thread_id, v.total, GREATEST(v.total - :wanted, 0) AS first_index
  FROM MEMORY_THREAD t
    CROSS JOIN (SELECT COUNT(*) AS total FROM visible_message) v
  WHERE t.thread_id = :thread_id),
measured AS (SELECT v.record_id, v.window_position,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY v.window_position) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM visible_message v
    CROSS JOIN head h
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = v.record_id
  WHERE v.window_position > h.first_index AND v.window_position <= h.first_index + :wanted)
SELECT h.total AS total, h.first_index AS first_index,
  r.record_id AS message_id,
  r.message_seq AS message_seq,
  r.message_role AS message_role,
  r.content AS message_content,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = m.record_id;

-- messages.window: reads messages of a thread by index
--   binds: thread_id text, wanted number, character_limit number, wanted_from number
--   columns: message_id text, message_seq number, message_role text, message_content text, message_metadata json,
--     message_time timestamp, total number, first_index number
WITH visible_message AS (SELECT r.record_id, r.message_seq, ROW_NUMBER() OVER (ORDER BY r.message_seq) AS window_position
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
head AS (SELECT t.thread_id, v.total, :wanted_from AS first_index
  FROM MEMORY_THREAD t
    CROSS JOIN (SELECT COUNT(*) AS total FROM visible_message) v
  WHERE t.thread_id = :thread_id),
measured AS (SELECT v.record_id, v.window_position,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY v.window_position) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM visible_message v
    CROSS JOIN head h
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = v.record_id
  WHERE v.window_position > h.first_index AND v.window_position <= h.first_index + :wanted)
SELECT h.total AS total, h.first_index AS first_index,
  r.record_id AS message_id,
  r.message_seq AS message_seq,
  r.message_role AS message_role,
  r.content AS message_content,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured m ON m.size_before < :character_limit
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = m.record_id;

-- records.add: adds a memory or a profile with its retrieval rows
--   binds: records clob, chunks clob, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON 1 = 0
ORDER BY j.ordinal;
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE (r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- records.add_batch: adds records of any type
--   binds: messages clob, threads clob, thread_total number, chunks clob, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_messages CLOB := :messages;
  l_threads CLOB := :threads;
  l_thread_total NUMBER := :thread_total;
  l_chunks CLOB := :chunks;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count + (SELECT j.message_total
  FROM JSON_TABLE(l_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    message_total NUMBER PATH '$.messageTotal')) j
  WHERE j.thread_id = t.thread_id), t.updated_at = l_now
WHERE t.thread_id IN (SELECT j.thread_id
  FROM JSON_TABLE(l_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    message_total NUMBER PATH '$.messageTotal')) j);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_thread_total THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  message_seq, message_role, content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT 'message', j.record_id, 'message', t.thread_id,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  t.message_count + j.place, j.message_role, j.content, j.content_empty,
  JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    place NUMBER PATH '$.place',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
ORDER BY j.ordinal;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE (r.record_family = 'message' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_messages, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.add_batch: adds records of any type
--   binds: records clob, chunks clob, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON 1 = 0
ORDER BY j.ordinal;
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE ((r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- records.add_from_thread: adds a memory to a thread
--   binds: records clob, chunks clob, author_operation text, author_caller text, author_request text,
--     from_thread text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_from_thread VARCHAR2(4000 CHAR) := :from_thread;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_from_thread;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = l_from_thread
ORDER BY j.ordinal;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE (r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.delete: deletes a record
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_1 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- records.delete_from_thread: deletes a record of one thread
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text,
--     thread_id text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
BEGIN
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_1 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.thread_id = l_thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.find_expired: purge: expired records, a batch
--   binds: batch_size number
--   columns: record_family text, record_id text
SELECT r.record_family AS record_family, r.record_id AS record_id
FROM MEMORY_RECORD r
WHERE r.expires_at <= SYSTIMESTAMP
FETCH FIRST :batch_size ROWS ONLY;

-- records.get: reads a record
--   binds: record_family text, record_id text
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp
SELECT r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM MEMORY_RECORD r
WHERE r.record_family = :record_family AND r.record_id = :record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);

-- records.list: lists records
--   binds: record_family text, after_position number, page_rows number, character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     record_position number, found_rows number
WITH page AS (SELECT r.record_id, r.order_seq
  FROM MEMORY_RECORD r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
  ORDER BY r.order_seq
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_id, p.order_seq, COUNT(*) OVER (PARTITION BY r.record_family) AS found_rows,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY p.order_seq) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = p.record_id)
SELECT r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  m.order_seq AS record_position, m.found_rows AS found_rows
FROM measured m
  JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.order_seq;

-- records.list: lists records
--   binds: record_family text, after_position number, page_rows number, character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     record_position number, found_rows number
WITH page AS (SELECT r.record_id, r.order_seq
  FROM MEMORY_RECORD r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND r.user_id IS NULL
    AND r.agent_id IS NULL
    AND r.thread_id IS NULL
  ORDER BY r.order_seq
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_id, p.order_seq, COUNT(*) OVER (PARTITION BY r.record_family) AS found_rows,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY p.order_seq) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = p.record_id)
SELECT r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  m.order_seq AS record_position, m.found_rows AS found_rows
FROM measured m
  JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.order_seq;

-- records.list: lists records
--   binds: record_family text, after_position number, page_rows number, character_limit number, scope_user text,
--     scope_agent text, scope_thread text, wanted_record_type text, wanted_status text, filter_1 clob
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     record_position number, found_rows number
WITH page AS (SELECT r.record_id, r.order_seq
  FROM MEMORY_RECORD r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND r.user_id = :scope_user
    AND r.agent_id = :scope_agent
    AND r.thread_id = :scope_thread
    AND r.record_type = :wanted_record_type
    AND r.status = :wanted_status
    AND (JSON_EXISTS(r.metadata, '$."color"') AND JSON_EQUAL(JSON_QUERY(r.metadata, '$."color"' RETURNING JSON), JSON(:filter_1)))
  ORDER BY r.order_seq
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_id, p.order_seq, COUNT(*) OVER (PARTITION BY r.record_family) AS found_rows,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY p.order_seq) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = p.record_id)
SELECT r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  m.order_seq AS record_position, m.found_rows AS found_rows
FROM measured m
  JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.order_seq;

-- records.purge_expired: purge: removes the batch that was found
--   binds: record_keys clob
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_keys CLOB := :record_keys;
BEGIN
  DELETE FROM MEMORY_RECORD r
WHERE (r.record_family, r.record_id) IN (SELECT j.family, j.id FROM JSON_TABLE(l_record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j)
  AND r.expires_at <= l_now;
  :rows_1 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE (c.record_family, c.record_id) IN (SELECT j.family, j.id FROM JSON_TABLE(l_record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY c
WHERE (c.record_family, c.record_id) IN (SELECT j.family, j.id FROM JSON_TABLE(l_record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, max_results number,
--     hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, 1 AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, scope_user text, scope_agent text,
--     scope_thread text, type_1 text, type_2 text, filter_1 clob, max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, 1 AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = :scope_user
    AND c.agent_id = :scope_agent
    AND c.thread_id = :scope_thread
    AND c.record_type IN (:type_1, :type_2)
    AND EXISTS (SELECT 1 FROM MEMORY_RECORD m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND (JSON_EXISTS(m.metadata, '$."color"') AND JSON_EQUAL(JSON_QUERY(m.metadata, '$."color"' RETURNING JSON), JSON(:filter_1))))),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = :scope_user
    AND c.agent_id = :scope_agent
    AND c.thread_id = :scope_thread
    AND c.record_type IN (:type_1, :type_2)
    AND EXISTS (SELECT 1 FROM MEMORY_RECORD m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND (JSON_EXISTS(m.metadata, '$."color"') AND JSON_EQUAL(JSON_QUERY(m.metadata, '$."color"' RETURNING JSON), JSON(:filter_1))))
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = :scope_user
    AND c.agent_id = :scope_agent
    AND c.thread_id = :scope_thread
    AND c.record_type IN (:type_1, :type_2)
    AND EXISTS (SELECT 1 FROM MEMORY_RECORD m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND (JSON_EXISTS(m.metadata, '$."color"') AND JSON_EQUAL(JSON_QUERY(m.metadata, '$."color"' RETURNING JSON), JSON(:filter_1))))),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, max_results number,
--     hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, 1 AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id IS NULL),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id IS NULL
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id IS NULL),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, scope_user text, boost_factor number,
--     max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, CASE WHEN c.user_id = :scope_user THEN :boost_factor ELSE 1 END AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, boost_factor number,
--     max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, CASE WHEN c.user_id IS NULL THEN :boost_factor ELSE 1 END AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, search_thread text,
--     max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, 1 AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.thread_id = :search_thread),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.thread_id = :search_thread
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.thread_id = :search_thread),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM MEMORY_THREAD t
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id
WHERE t.thread_id = :search_thread;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, search_thread text,
--     boost_factor number, max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, CASE WHEN c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread) THEN :boost_factor ELSE 1 END AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM MEMORY_THREAD t
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id
WHERE t.thread_id = :search_thread;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, query_vector clob, candidate_total number, minimum_type_1 text,
--     minimum_1 number, minimum_type_2 text, minimum_2 number, minimum_type_3 text, minimum_3 number,
--     minimum_type_4 text, minimum_4 number, max_results number, hit_character_limit number, search_thread text
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, 1 AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT a.record_family, a.record_id, a.record_type, a.factor, a.vector_distance, a.weight, a.own_weight
  FROM (SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight, ROW_NUMBER() OVER (PARTITION BY d.record_type ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family) AS type_place
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)) a
  WHERE a.type_place <= :candidate_total),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
ranked AS (
  SELECT n.record_family, n.record_id, n.record_type, n.distance,
    ROW_NUMBER() OVER (ORDER BY n.distance, n.record_id, n.record_family) AS hit_rank,
    ROW_NUMBER() OVER (PARTITION BY n.record_type ORDER BY n.distance, n.record_id) AS type_rank
  FROM nearest n),
slotted AS (
  SELECT k.record_family, k.record_id, k.distance, k.hit_rank,
    ROW_NUMBER() OVER (ORDER BY CASE WHEN k.record_type = :minimum_type_1 AND k.type_rank <= :minimum_1 THEN 0
      WHEN k.record_type = :minimum_type_2 AND k.type_rank <= :minimum_2 THEN 0
      WHEN k.record_type = :minimum_type_3 AND k.type_rank <= :minimum_3 THEN 0
      WHEN k.record_type = :minimum_type_4 AND k.type_rank <= :minimum_4 THEN 0 ELSE 1 END, k.hit_rank) AS slot
  FROM ranked k),
picked AS (
  SELECT s.record_family, s.record_id, s.distance, s.hit_rank
  FROM slotted s
  WHERE s.slot <= :max_results),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM MEMORY_THREAD t
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id
WHERE t.thread_id = :search_thread;

-- records.search_by_both_index: hybrid search of everything, over a vector index
--   binds: word_1 clob, word_2 clob, query_vector clob, index_rows number, candidate_total number,
--     max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH scope_size AS (
  SELECT COUNT(*) AS total
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
near_chunk AS (
  SELECT c.record_family, c.record_id, c.record_type, VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  ORDER BY VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE)
  FETCH APPROX FIRST :index_rows ROWS ONLY WITH TARGET ACCURACY 95),
reached AS (
  SELECT n.record_family, n.record_id, n.record_type, n.vector_distance,
    MAX(n.vector_distance) OVER () AS edge, COUNT(*) OVER () AS total
  FROM near_chunk n
  WHERE n.vector_distance IS NOT NULL),
near_record AS (
  SELECT e.record_family, e.record_id, e.record_type, MIN(e.vector_distance) AS vector_distance
  FROM reached e
  WHERE e.vector_distance < e.edge OR e.total < :index_rows
  GROUP BY e.record_family, e.record_id, e.record_type),
touched AS (
  SELECT u.record_family, u.record_id, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT o.record_family, o.record_id, o.weight AS own_weight, 0 AS beside_weight
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, 1 AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT v.record_family, v.record_id, v.record_type, v.vector_distance, 0 AS weight, 0 AS own_weight
    FROM near_record v
    UNION ALL
    SELECT c.record_family, c.record_id, c.record_type, VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE), t.weight, t.own_weight
    FROM touched t
    JOIN MEMORY_CHUNK c ON c.record_family = t.record_family AND c.record_id = t.record_id
    WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)) u
  GROUP BY u.record_family, u.record_id),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
    AND ((SELECT COUNT(*) FROM near_record) >= :candidate_total
      OR (SELECT MAX(e.total) FROM reached e) < :index_rows)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_keyword: keyword search
--   binds: word_1 clob, word_2 clob, candidate_total number, max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH scope_size AS (
  SELECT COUNT(*) AS total
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
held AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no, c.record_type, 1 AS factor
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_1, 1) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no, c.record_type, 1 AS factor
  FROM MEMORY_CHUNK c
  WHERE CONTAINS(c.chunk_text, :word_2, 2) > 0
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (2 - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, MAX(h.record_type) AS record_type, MAX(h.factor) AS factor, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MAX(u.own_weight) + SUM(u.beside_weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT o.record_family, o.record_id, o.record_type, o.factor, o.weight AS own_weight, 0 AS beside_weight
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.weight, d.own_weight
  FROM scored d
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))) / 1.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_vector: vector search, exact
--   binds: query_vector clob, max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) * 1 AS distance
  FROM MEMORY_CHUNK c
  WHERE c.embedding IS NOT NULL
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.search_by_vector_index: vector search of everything, over a vector index
--   binds: query_vector clob, index_rows number, max_results number, hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH near_chunk AS (
  SELECT c.record_family, c.record_id, c.record_type, VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
  ORDER BY VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE)
  FETCH APPROX FIRST :index_rows ROWS ONLY WITH TARGET ACCURACY 95),
reached AS (
  SELECT n.record_family, n.record_id, n.record_type, n.vector_distance,
    MAX(n.vector_distance) OVER () AS edge, COUNT(*) OVER () AS total
  FROM near_chunk n
  WHERE n.vector_distance IS NOT NULL),
near_record AS (
  SELECT e.record_family, e.record_id, e.record_type, MIN(e.vector_distance) AS vector_distance
  FROM reached e
  WHERE e.vector_distance < e.edge OR e.total < :index_rows
  GROUP BY e.record_family, e.record_id, e.record_type),
nearest AS (
  SELECT v.record_family, v.record_id, v.record_type, v.vector_distance AS distance
  FROM near_record v),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM fitting f
  JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id;

-- records.update: changes a record
--   binds: record_family text, record_id text, thread_id text, except_type text, author_operation text,
--     author_caller text, author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_except_type VARCHAR2(4000 CHAR) := :except_type;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id AND r.record_type <> l_except_type;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- records.update: changes a record
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- records.update: changes a record
--   binds: record_family text, record_id text, event_at text, ttl_days number, author_operation text,
--     author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_event_at VARCHAR2(4000 CHAR) := :event_at;
  l_ttl_days NUMBER := :ttl_days;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_author_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.event_at = TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  r.expires_at = CASE WHEN TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') > TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') - NUMTODSINTERVAL(l_ttl_days, 'DAY') THEN TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') + NUMTODSINTERVAL(l_ttl_days, 'DAY') END
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  UPDATE MEMORY_CHUNK c
SET c.expires_at = (SELECT r.expires_at FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.update: changes a record
--   binds: record_family text, record_id text, metadata clob, vectors clob, vector_total number,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_metadata CLOB := :metadata;
  l_vectors CLOB := :vectors;
  l_vector_total NUMBER := :vector_total;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_author_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.metadata = JSON(l_metadata)
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  UPDATE MEMORY_CHUNK c
SET c.embedding = (SELECT TO_VECTOR(j.embedding, 1536, FLOAT32)
  FROM JSON_TABLE(l_vectors, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    chunk_no NUMBER PATH '$.number',
    embedding CLOB PATH '$.vector')) j
  WHERE j.chunk_no = c.chunk_no)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_vector_total THEN
    RAISE_APPLICATION_ERROR(-20409, 'the record does not have as many retrieval rows as vectors are given');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.update: changes a record
--   binds: record_family text, record_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  UPDATE MEMORY_CHUNK c
SET c.embedding = NULL
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- requests.find: what became of a request with this idempotency key
--   binds: request_key text
--   columns: request_hash text, request_created_at timestamp, job_state json, lease_holds boolean,
--     waits_for_room boolean, job_id text, job_thread_id text, job_status text, attempt number, max_attempts number,
--     next_attempt_at timestamp, reason_code text, reason_detail text, message_ids json, memory_ids json,
--     llm_calls number, prompt_tokens number, completion_tokens number, job_created_at timestamp,
--     started_at timestamp, finished_at timestamp
SELECT q.request_hash AS request_hash, TO_CHAR(q.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS request_created_at,
  q.job_state AS job_state,
  CASE WHEN j.lease_until > SYSTIMESTAMP THEN 1 ELSE 0 END AS lease_holds,
  CASE WHEN q.created_at + NUMTODSINTERVAL(
      JSON_VALUE(t.config, '$.extraction.backgroundExtractionQueuePutTimeoutSeconds' RETURNING NUMBER), 'SECOND')
      > SYSTIMESTAMP
    AND JSON_VALUE(t.config, '$.extraction.backgroundExtractionQueueFullBehavior' RETURNING VARCHAR2(16)) <> 'drop'
    THEN 1 ELSE 0 END AS waits_for_room,
  j.job_id AS job_id,
  j.thread_id AS job_thread_id,
  j.status AS job_status,
  j.attempt AS attempt,
  j.max_attempts AS max_attempts,
  TO_CHAR(j.next_attempt_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS next_attempt_at,
  j.reason_code AS reason_code,
  j.reason_detail AS reason_detail,
  j.message_ids AS message_ids,
  j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls,
  j.prompt_tokens AS prompt_tokens,
  j.completion_tokens AS completion_tokens,
  TO_CHAR(j.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS job_created_at,
  TO_CHAR(j.started_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS started_at,
  TO_CHAR(j.finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS finished_at
FROM MEMORY_REQUEST q
  LEFT JOIN MEMORY_JOB j ON j.job_id = q.job_id
  LEFT JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
WHERE q.request_key = :request_key;

-- requests.prune: sweep: removes records of requests that nobody repeats any more
--   binds: kept_hours number, row_limit number
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_kept_hours NUMBER := :kept_hours;
  l_row_limit NUMBER := :row_limit;
BEGIN
  DELETE FROM MEMORY_REQUEST q
WHERE q.created_at <= l_now - NUMTODSINTERVAL(l_kept_hours, 'HOUR') AND ROWNUM <= l_row_limit;
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- schema.read_state: what the store was created with, at the first request
--   columns: meta_key text, meta_value text
SELECT m.meta_key AS meta_key, m.meta_value AS meta_value FROM MEMORY_META m;

-- threads.create: creates a thread
--   binds: thread_id text, user_id text, agent_id text, metadata clob, config clob, author_operation text,
--     author_caller text, author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_user_id VARCHAR2(4000 CHAR) := :user_id;
  l_agent_id VARCHAR2(4000 CHAR) := :agent_id;
  l_metadata CLOB := :metadata;
  l_config CLOB := :config;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_THREAD (thread_id, user_id, agent_id, metadata, config, created_at, updated_at)
VALUES (l_thread_id, l_user_id, l_agent_id, JSON(l_metadata), JSON(l_config), l_now, l_now);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(t.thread_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_THREAD t
WHERE t.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- threads.delete: deletes a thread with everything in it
--   binds: thread_id text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(l_thread_id RETURNING CLOB), s.subject_total,
  (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id), (SELECT t.agent_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id), l_thread_id, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id)
  + (SELECT COUNT(*) FROM MEMORY_RECORD t WHERE t.thread_id = l_thread_id) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD t
WHERE t.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK t
WHERE t.thread_id = l_thread_id;
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY t
WHERE t.thread_id = l_thread_id;
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB t
WHERE t.thread_id = l_thread_id;
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST t
WHERE t.thread_id = l_thread_id;
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD t
WHERE t.thread_id = l_thread_id;
  :rows_8 := SQL%ROWCOUNT;
END;
/

-- threads.exists: a search in a thread that has nothing to look for
--   binds: thread_id text
--   columns: thread_id text
SELECT t.thread_id AS thread_id
FROM MEMORY_THREAD t
WHERE t.thread_id = :thread_id;

-- threads.get: reads a thread
--   binds: thread_id text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at
FROM MEMORY_THREAD t
WHERE t.thread_id = :thread_id;

-- threads.list: lists threads, newest first
--   binds: before number, page_rows number, character_limit number
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, thread_position number, page_total number
WITH page AS (SELECT t.thread_id, t.order_seq
  FROM MEMORY_THREAD t
  WHERE t.order_seq < :before
  ORDER BY t.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.thread_id, SUM(LENGTH(JSON_SERIALIZE(t.metadata RETURNING CLOB)) + LENGTH(JSON_SERIALIZE(t.config RETURNING CLOB))) OVER (ORDER BY p.order_seq DESC) - (LENGTH(JSON_SERIALIZE(t.metadata RETURNING CLOB)) + LENGTH(JSON_SERIALIZE(t.config RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_THREAD t ON t.thread_id = p.thread_id)
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  t.order_seq AS thread_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_THREAD t ON t.thread_id = m.thread_id
WHERE m.size_before < :character_limit
ORDER BY t.order_seq DESC;

-- threads.list: lists threads, newest first
--   binds: before number, page_rows number, character_limit number, agent_id text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, thread_position number, page_total number
WITH page AS (SELECT t.thread_id, t.order_seq
  FROM MEMORY_THREAD t
  WHERE t.order_seq < :before AND t.agent_id = :agent_id
  ORDER BY t.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.thread_id, SUM(LENGTH(JSON_SERIALIZE(t.metadata RETURNING CLOB)) + LENGTH(JSON_SERIALIZE(t.config RETURNING CLOB))) OVER (ORDER BY p.order_seq DESC) - (LENGTH(JSON_SERIALIZE(t.metadata RETURNING CLOB)) + LENGTH(JSON_SERIALIZE(t.config RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_THREAD t ON t.thread_id = p.thread_id)
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  t.order_seq AS thread_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_THREAD t ON t.thread_id = m.thread_id
WHERE m.size_before < :character_limit
ORDER BY t.order_seq DESC;

-- threads.read_context: context card and summary: the thread with its newest messages
--   binds: thread_id text, recent_messages number, when_stale number, character_limit number
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, message_id text, message_seq number,
--     message_role text, message_content text, message_metadata json, message_time timestamp, summary_hidden boolean
WITH head AS (SELECT t.thread_id,
    CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN :when_stale ELSE :recent_messages END AS wanted
  FROM MEMORY_THREAD t
  WHERE t.thread_id = :thread_id),
shown AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM head h
    JOIN shown s ON s.newest_rank <= h.wanted
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id)
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at, 0 AS summary_hidden,
  m.record_id AS message_id,
  m.message_seq AS message_seq,
  m.message_role AS message_role,
  m.content AS message_content,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(m.event_at, m.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND NVL(s.newest_rank, 1) = 1
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = 'message' AND m.record_id = s.record_id;

-- threads.save_rebuilt_summary: replaces a stale running summary
--   binds: thread_id text, summary clob, summarized_seq number, read_updated_at text
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_summary CLOB := :summary;
  l_summarized_seq NUMBER := :summarized_seq;
  l_read_updated_at VARCHAR2(4000 CHAR) := :read_updated_at;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.running_summary = l_summary, t.summarized_seq = l_summarized_seq, t.summary_stale = 0,
  t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
    WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= l_summarized_seq
      AND (r.expires_at > l_now OR r.updated_at > l_now))
WHERE t.thread_id = l_thread_id AND (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) AND t.message_count = l_summarized_seq
  AND t.updated_at = TO_TIMESTAMP_TZ(l_read_updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM');
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- threads.update: changes a thread
--   binds: thread_id text, metadata clob, config_patch clob, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_metadata CLOB := :metadata;
  l_config_patch CLOB := :config_patch;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.metadata = CASE WHEN l_metadata IS NULL THEN t.metadata ELSE JSON(l_metadata) END,
  t.config = JSON_MERGEPATCH(t.config, l_config_patch), t.updated_at = l_now
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(t.thread_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_THREAD t
WHERE t.thread_id = l_thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- users.count_cascade: what deleting a user with all that is theirs would remove
--   binds: actor_id text, actor_family text
--   columns: record_total number
SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.user_id = :actor_id)
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.user_id = :actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :actor_id))
      OR (r.record_family = :actor_family AND r.record_id = :actor_id)) AS record_total
FROM dual;

-- users.delete_cascade: deletes a user with threads, records, retrieval rows and jobs that are theirs
--   binds: actor_id text, actor_family text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_actor_id VARCHAR2(4000 CHAR) := :actor_id;
  l_actor_family VARCHAR2(4000 CHAR) := :actor_family;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.user_id = l_actor_id;
  :rows_1 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_AUDIT r
WHERE (r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id) OR r.user_id = l_actor_id) AND NOT (r.subject = 'user' AND r.is_removal = 1);
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'user', JSON_ARRAY(l_actor_id RETURNING CLOB), s.subject_total,
  l_actor_id, NULL, NULL, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id)
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.user_id = l_actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id))
      OR (r.record_family = l_actor_family AND r.record_id = l_actor_id)) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id);
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id);
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id);
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id);
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = l_actor_id) OR r.user_id = l_actor_id;
  :rows_8 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD r
WHERE r.user_id = l_actor_id;
  :rows_9 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.user_id = l_actor_id;
  :rows_10 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.user_id = l_actor_id;
  :rows_11 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.user_id = l_actor_id;
  :rows_12 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id;
  :rows_13 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id;
  :rows_14 := SQL%ROWCOUNT;
END;
/

-- users.export_earlier_forms: export of a user: earlier forms of memories, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number
--   columns: form_record_id text, form_type text, form_content text, form_content_empty boolean, form_metadata json,
--     form_event_at timestamp, form_expires_at timestamp, form_status text, form_at timestamp, replaced_at timestamp,
--     operation_id text, caller_id text, request_id text, after_position number, after_number number,
--     page_total number
WITH page AS (SELECT x.order_seq, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_RECORD r
    JOIN MEMORY_HISTORY x ON x.record_family = r.record_family AND x.record_id = r.record_id
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.record_family <> 'agent_profile' AND (r.user_id = :user_id
      OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id)
      OR (r.record_family = 'user_profile' AND r.record_id = :user_id))
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_HISTORY x ON x.order_seq = p.order_seq)
SELECT x.record_id AS form_record_id, x.record_type AS form_type, x.content AS form_content, x.content_empty AS form_content_empty,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS form_metadata,
  TO_CHAR(x.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_event_at,
  TO_CHAR(x.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_expires_at, x.status AS form_status,
  TO_CHAR(x.form_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_at, TO_CHAR(x.replaced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS replaced_at,
  x.operation_id AS operation_id, x.caller_id AS caller_id, x.request_id AS request_id,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_HISTORY x ON x.order_seq = m.order_seq
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.export_records: export of a user: messages, memories and profile, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     message_seq number, after_position number, after_number number, page_total number
WITH page AS (SELECT x.record_family, x.record_id, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_RECORD x
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND (x.expires_at IS NULL OR x.expires_at > SYSTIMESTAMP) AND x.record_family <> 'agent_profile' AND (x.user_id = :user_id
      OR x.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id)
      OR (x.record_family = 'user_profile' AND x.record_id = :user_id))
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_family, p.record_id, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD x ON x.record_family = p.record_family AND x.record_id = p.record_id)
SELECT x.record_id AS record_id,
  x.record_type AS record_type,
  x.thread_id AS record_thread_id,
  x.user_id AS record_user_id,
  x.agent_id AS record_agent_id,
  x.message_role AS message_role,
  x.content AS content,
  x.content_empty AS content_empty,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS record_metadata,
  x.status AS record_status,
  TO_CHAR(x.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(x.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(x.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(x.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  x.message_seq AS message_seq,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_RECORD x ON x.record_family = m.record_family AND x.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.export_retrieval_texts: export of a user: retrieval texts with or without vectors, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number,
--     with_vectors number
--   columns: chunk_record_type text, chunk_record_id text, chunk_no number, chunk_text text, has_vector boolean,
--     embedding json, after_position number, after_number number, page_total number
WITH page AS (SELECT x.record_family, x.record_id, x.chunk_no, r.order_seq AS row_place, x.chunk_no AS row_within
  FROM MEMORY_RECORD r
    JOIN MEMORY_CHUNK x ON x.record_family = r.record_family AND x.record_id = r.record_id
  WHERE (r.order_seq > :after OR (r.order_seq = :after AND x.chunk_no > :after_number))
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.record_family <> 'agent_profile' AND (r.user_id = :user_id
      OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id)
      OR (r.record_family = 'user_profile' AND r.record_id = :user_id))
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_family, p.record_id, p.chunk_no, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.chunk_text), 0) + CASE WHEN :with_vectors = 1 THEN 18432 ELSE 0 END)) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.chunk_text), 0) + CASE WHEN :with_vectors = 1 THEN 18432 ELSE 0 END) AS size_before
  FROM page p
    JOIN MEMORY_CHUNK x ON x.record_family = p.record_family AND x.record_id = p.record_id AND x.chunk_no = p.chunk_no)
SELECT x.record_type AS chunk_record_type, x.record_id AS chunk_record_id, x.chunk_no AS chunk_no,
  x.chunk_text AS chunk_text, CASE WHEN x.embedding IS NULL THEN 0 ELSE 1 END AS has_vector,
  CASE WHEN :with_vectors = 1 OR x.chunk_text IS NULL THEN FROM_VECTOR(x.embedding RETURNING CLOB) END AS embedding,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_CHUNK x ON x.record_family = m.record_family AND x.record_id = m.record_id AND x.chunk_no = m.chunk_no
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.export_threads: export of a user: threads, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, summary_expires_at timestamp, hides_messages boolean,
--     after_position number, after_number number, page_total number
WITH page AS (SELECT x.thread_id, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_THREAD x
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND x.user_id = :user_id
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.thread_id, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.running_summary), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))
      + LENGTH(JSON_SERIALIZE(x.config RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.running_summary), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))
      + LENGTH(JSON_SERIALIZE(x.config RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_THREAD x ON x.thread_id = p.thread_id)
SELECT x.thread_id AS thread_id,
  x.user_id AS thread_user_id,
  x.agent_id AS thread_agent_id,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(x.config RETURNING CLOB) AS thread_config,
  x.message_count AS message_count,
  x.extracted_seq AS extracted_seq,
  x.summarized_seq AS summarized_seq,
  x.running_summary AS running_summary,
  CASE WHEN (x.summary_stale = 1 OR x.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(x.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(x.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  TO_CHAR(x.summary_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS summary_expires_at, 0 AS hides_messages,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_THREAD x ON x.thread_id = m.thread_id
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.find_taken_id: which id of an import is in use, after the database refused it
--   binds: import_ids clob
--   columns: item_place number
SELECT i.item_place AS item_place
FROM JSON_TABLE(:import_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    item_place FOR ORDINALITY,
    item_kind VARCHAR2(16 CHAR) PATH '$.kind',
    item_id VARCHAR2(128 CHAR) PATH '$.id',
    item_number NUMBER PATH '$.number')) i
WHERE (i.item_kind = 'thread' AND EXISTS (SELECT 1 FROM MEMORY_THREAD t WHERE t.thread_id = i.item_id))
  OR (i.item_number IS NULL AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = i.item_kind AND r.record_id = i.item_id))
  OR EXISTS (SELECT 1 FROM MEMORY_CHUNK c
    WHERE c.record_family = i.item_kind AND c.record_id = i.item_id AND c.chunk_no = i.item_number)
ORDER BY item_place
FETCH FIRST 1 ROWS ONLY;

-- users.import: import of an export: threads, records, retrieval rows, earlier forms
--   binds: import_threads clob, import_records clob, chunks clob, import_forms clob, places clob,
--     thread_total number, chunk_total number, form_total number, guidelines_too number, author_operation text,
--     author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_import_threads CLOB := :import_threads;
  l_import_records CLOB := :import_records;
  l_chunks CLOB := :chunks;
  l_import_forms CLOB := :import_forms;
  l_places CLOB := :places;
  l_thread_total NUMBER := :thread_total;
  l_chunk_total NUMBER := :chunk_total;
  l_form_total NUMBER := :form_total;
  l_guidelines_too NUMBER := :guidelines_too;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  INSERT INTO MEMORY_THREAD (thread_id, user_id, agent_id, metadata, config, message_count, extracted_seq,
  summarized_seq, running_summary, summary_expires_at, created_at, updated_at)
SELECT j.id, j.user_id, j.agent_id, JSON(j.metadata), JSON(j.config), j.message_count, j.extracted_seq,
  j.summarized_seq, j.running_summary, TO_TIMESTAMP_TZ(j.summary_expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  TO_TIMESTAMP_TZ(j.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), TO_TIMESTAMP_TZ(j.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
FROM JSON_TABLE(l_import_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    id VARCHAR2(128 CHAR) PATH '$.id',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    metadata CLOB PATH '$.metadata',
    config CLOB PATH '$.config',
    message_count NUMBER PATH '$.messageCount',
    extracted_seq NUMBER PATH '$.extracted',
    summarized_seq NUMBER PATH '$.summarized',
    running_summary CLOB PATH '$.summary',
    summary_expires_at VARCHAR2(40 CHAR) PATH '$.summaryExpiresAt',
    created_at VARCHAR2(40 CHAR) PATH '$.createdAt',
    updated_at VARCHAR2(40 CHAR) PATH '$.updatedAt')) j
ORDER BY j.ordinal;
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.message_count = GREATEST(t.message_count,
  (SELECT MAX(j.message_seq) FROM JSON_TABLE(l_places, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId', message_seq NUMBER PATH '$.sequence')) j WHERE j.thread_id = t.thread_id))
WHERE t.thread_id IN (SELECT j.thread_id FROM JSON_TABLE(l_places, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId', message_seq NUMBER PATH '$.sequence')) j);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_thread_total THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id, message_seq,
  message_role, content, content_empty, metadata, status, event_at, expires_at, created_at, updated_at)
SELECT j.record_family, j.record_id, j.record_type, j.thread_id, j.user_id, j.agent_id, j.message_seq,
  j.message_role, j.content, j.content_empty, JSON(j.metadata), j.record_status,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  TO_TIMESTAMP_TZ(j.created_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), TO_TIMESTAMP_TZ(j.updated_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
FROM JSON_TABLE(l_import_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    message_seq NUMBER PATH '$.sequence',
    message_role VARCHAR2(30 CHAR) PATH '$.role',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    record_status VARCHAR2(16 CHAR) PATH '$.status',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    created_at VARCHAR2(40 CHAR) PATH '$.createdAt',
    updated_at VARCHAR2(40 CHAR) PATH '$.updatedAt')) j
ORDER BY j.ordinal;
  :rows_3 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id IN (SELECT j.thread_id FROM JSON_TABLE(l_places, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId', message_seq NUMBER PATH '$.sequence')) j)
  AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = 'message' AND r.thread_id = t.thread_id
    GROUP BY r.message_seq
    HAVING COUNT(*) > 1);
  :rows_4 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_thread_total THEN
    RAISE_APPLICATION_ERROR(-20409, 'another message has the place of one of these in its thread');
  END IF;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (l_guidelines_too = 1 OR r.record_type <> 'guideline');
  :rows_5 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_chunk_total THEN
    RAISE_APPLICATION_ERROR(-20409, 'a retrieval text or an earlier form names a record that is not there');
  END IF;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content,
  content_empty, metadata, status, event_at, expires_at, form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, j.content,
  j.content_empty, JSON(j.metadata), j.record_status, TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), TO_TIMESTAMP_TZ(j.form_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), TO_TIMESTAMP_TZ(j.replaced_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  j.operation_id, j.caller_id, j.request_id
FROM JSON_TABLE(l_import_forms, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    memory_id VARCHAR2(128 CHAR) PATH '$.memoryId',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    record_status VARCHAR2(16 CHAR) PATH '$.status',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    form_at VARCHAR2(40 CHAR) PATH '$.formAt',
    replaced_at VARCHAR2(40 CHAR) PATH '$.replacedAt',
    operation_id VARCHAR2(64 CHAR) PATH '$.operation',
    caller_id VARCHAR2(512 CHAR) PATH '$.callerId',
    request_id VARCHAR2(128 CHAR) PATH '$.requestId')) j
  JOIN MEMORY_RECORD r ON r.record_family = 'memory' AND r.record_id = j.memory_id AND (l_guidelines_too = 1 OR r.record_type <> 'guideline')
ORDER BY j.ordinal;
  :rows_6 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> l_form_total THEN
    RAISE_APPLICATION_ERROR(-20409, 'a retrieval text or an earlier form names a record that is not there');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(t.thread_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_THREAD t
WHERE t.thread_id IN (SELECT j.id FROM JSON_TABLE(l_import_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (id VARCHAR2(128 CHAR) PATH '$.id')) j);
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE ((r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_import_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)
    OR (r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)
    OR r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_import_forms, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$.memoryId')) i))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_8 := SQL%ROWCOUNT;
END;
/

----------------------------------------------------------------------------------------------------------------------
-- Service, for callers limited to users, agents or threads
-- 767 texts; here: those that show what no text above does
----------------------------------------------------------------------------------------------------------------------

-- agents.count_cascade: what deleting an agent with all that is theirs would remove
--   binds: actor_id text, actor_family text, allowed_users clob
--   columns: record_total number
SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = :actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
      OR (r.record_family = :actor_family AND r.record_id = :actor_id AND 1 = 0)) AS record_total
FROM dual;

-- agents.count_cascade: what deleting an agent with all that is theirs would remove
--   binds: actor_id text, actor_family text, allowed_users clob, allowed_agents clob, allowed_threads clob
--   columns: record_total number
SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = :actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
      OR (r.record_family = :actor_family AND r.record_id = :actor_id AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AS record_total
FROM dual;

-- agents.delete_cascade: deletes an agent with threads, records, retrieval rows and jobs that are theirs
--   binds: actor_id text, actor_family text, allowed_users clob, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14, rows_15
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_actor_id VARCHAR2(4000 CHAR) := :actor_id;
  l_actor_family VARCHAR2(4000 CHAR) := :actor_family;
  l_allowed_users CLOB := :allowed_users;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'agent', JSON_ARRAY(l_actor_id RETURNING CLOB), s.subject_total,
  NULL, l_actor_id, NULL, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = l_actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
      OR (r.record_family = l_actor_family AND r.record_id = l_actor_id AND 1 = 0)) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.record_family = 'message';
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.record_family = 'message';
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_8 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_9 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_10 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_11 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_12 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_13 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND 1 = 0;
  :rows_14 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND 1 = 0;
  :rows_15 := SQL%ROWCOUNT;
END;
/

-- agents.delete_cascade: deletes an agent with threads, records, retrieval rows and jobs that are theirs
--   binds: actor_id text, actor_family text, allowed_users clob, allowed_agents clob, allowed_threads clob,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14, rows_15
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_actor_id VARCHAR2(4000 CHAR) := :actor_id;
  l_actor_family VARCHAR2(4000 CHAR) := :actor_family;
  l_allowed_users CLOB := :allowed_users;
  l_allowed_agents CLOB := :allowed_agents;
  l_allowed_threads CLOB := :allowed_threads;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'agent', JSON_ARRAY(l_actor_id RETURNING CLOB), s.subject_total,
  NULL, l_actor_id, NULL, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = l_actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
      OR (r.record_family = l_actor_family AND r.record_id = l_actor_id AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.record_family = 'message';
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND r.record_family = 'message';
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_8 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_9 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_10 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_11 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_12 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.agent_id = l_actor_id AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_13 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_14 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_15 := SQL%ROWCOUNT;
END;
/

-- audit.list: lists who wrote and deleted what, newest first
--   binds: before number, since text, page_rows number, row_limit number, character_limit number, allowed_users clob
--   columns: occurred_at timestamp, operation_id text, caller_id text, request_id text, subject text,
--     subject_ids json, subject_total number, audit_user_id text, audit_agent_id text, audit_thread_id text,
--     audit_position number, page_total number
WITH page AS (SELECT a.order_seq
  FROM MEMORY_AUDIT a
  WHERE a.order_seq < :before
    AND a.occurred_at >= TO_TIMESTAMP_TZ(:since, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') AND a.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
  ORDER BY a.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(LENGTH(a.subject_ids)) OVER (ORDER BY p.order_seq DESC) - LENGTH(a.subject_ids) AS size_before
  FROM page p
    JOIN MEMORY_AUDIT a ON a.order_seq = p.order_seq)
SELECT TO_CHAR(a.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS occurred_at, a.operation_id AS operation_id, a.caller_id AS caller_id,
  a.request_id AS request_id, a.subject AS subject, a.subject_ids AS subject_ids, a.subject_total AS subject_total,
  a.user_id AS audit_user_id, a.agent_id AS audit_agent_id, a.thread_id AS audit_thread_id,
  a.order_seq AS audit_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_AUDIT a ON a.order_seq = m.order_seq
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY a.order_seq DESC;

-- extraction.read_input_with_memories: the same with a search for memories near messages that are known before
--   binds: query_vector clob, search_thread text, type_1 text, type_2 text, type_3 text, type_4 text,
--     allowed_users clob, allowed_agents clob, allowed_threads clob, boost_factor number, max_results number,
--     hit_character_limit number, character_limit number, newest_count number, newest_characters number, job_id text,
--     lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) * CASE WHEN c.thread_id = :search_thread THEN :boost_factor ELSE 1 END AS distance
  FROM MEMORY_CHUNK c
  WHERE c.embedding IS NOT NULL
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4) AND (c.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND c.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) AND c.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR c.record_family = 'user_profile' AND c.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR c.record_family = 'agent_profile' AND c.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head
  UNION ALL
  SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place
  FROM fitting f)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- jobs.cancel: cancels a job
--   binds: job_id text, allowed_users clob, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_allowed_users CLOB := :allowed_users;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_JOB j
SET j.attempt = j.attempt
WHERE j.job_id = l_job_id AND EXISTS (SELECT 1 FROM MEMORY_THREAD v
    WHERE v.thread_id = j.thread_id AND v.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'job not found');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = 'cancelled', j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now
WHERE j.job_id = l_job_id AND j.status IN ('pending', 'running');
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'only a pending or running job can be cancelled');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'job', JSON_ARRAY(j.job_id RETURNING CLOB), 1, t.user_id, t.agent_id, t.thread_id
FROM MEMORY_JOB j
  JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
WHERE j.job_id = l_job_id;
  :rows_3 := SQL%ROWCOUNT;
END;
/

-- records.add_from_thread: adds a memory to a thread
--   binds: records clob, chunks clob, author_operation text, author_caller text, author_request text,
--     from_thread text, allowed_users clob
--   counts: rows_1, rows_2, rows_3, rows_4
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_from_thread VARCHAR2(4000 CHAR) := :from_thread;
  l_allowed_users CLOB := :allowed_users;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_from_thread AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = l_from_thread
ORDER BY j.ordinal;
  :rows_2 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_3 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE (r.record_family, r.record_id) IN (SELECT i.record_family, i.record_id
      FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_family VARCHAR2(16 CHAR) PATH '$.family',
        record_id VARCHAR2(128 CHAR) PATH '$.id')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
END;
/

-- records.update: changes a record
--   binds: record_family text, record_id text, thread_id text, except_type text, allowed_users clob,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_except_type VARCHAR2(4000 CHAR) := :except_type;
  l_allowed_users CLOB := :allowed_users;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id AND r.record_type <> l_except_type AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- threads.delete: deletes a thread with everything in it
--   binds: thread_id text, allowed_users clob, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_allowed_users CLOB := :allowed_users;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(l_thread_id RETURNING CLOB), s.subject_total,
  (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)), (SELECT t.agent_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)), l_thread_id, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  + (SELECT COUNT(*) FROM MEMORY_RECORD t WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB t
WHERE t.thread_id = l_thread_id
  AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST t
WHERE t.thread_id = l_thread_id
  AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD t
WHERE t.thread_id = l_thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l);
  :rows_8 := SQL%ROWCOUNT;
END;
/

-- threads.read_context: context card and summary: the thread with its newest messages
--   binds: thread_id text, recent_messages number, when_stale number, character_limit number, allowed_users clob
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, message_id text, message_seq number,
--     message_role text, message_content text, message_metadata json, message_time timestamp, summary_hidden boolean
WITH head AS (SELECT t.thread_id,
    CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN :when_stale ELSE :recent_messages END AS wanted
  FROM MEMORY_THREAD t
  WHERE t.thread_id = :thread_id AND t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)),
shown AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM head h
    JOIN shown s ON s.newest_rank <= h.wanted
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id)
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at, CASE WHEN EXISTS (SELECT 1 FROM MEMORY_RECORD h
    WHERE h.thread_id = t.thread_id AND h.record_family = 'message'
      AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD g
        WHERE g.record_family = 'message' AND g.record_id = h.record_id AND g.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) THEN 1 ELSE 0 END AS summary_hidden,
  m.record_id AS message_id,
  m.message_seq AS message_seq,
  m.message_role AS message_role,
  m.content AS message_content,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(m.event_at, m.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND NVL(s.newest_rank, 1) = 1
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = 'message' AND m.record_id = s.record_id;

-- users.export_earlier_forms: export of a user: earlier forms of memories, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number,
--     allowed_agents clob
--   columns: form_record_id text, form_type text, form_content text, form_content_empty boolean, form_metadata json,
--     form_event_at timestamp, form_expires_at timestamp, form_status text, form_at timestamp, replaced_at timestamp,
--     operation_id text, caller_id text, request_id text, after_position number, after_number number,
--     page_total number
WITH page AS (SELECT x.order_seq, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_RECORD r
    JOIN MEMORY_HISTORY x ON x.record_family = r.record_family AND x.record_id = r.record_id
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.record_family <> 'agent_profile' AND (r.user_id = :user_id
      OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
      OR (r.record_family = 'user_profile' AND r.record_id = :user_id)) AND (r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_HISTORY x ON x.order_seq = p.order_seq)
SELECT x.record_id AS form_record_id, x.record_type AS form_type, x.content AS form_content, x.content_empty AS form_content_empty,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS form_metadata,
  TO_CHAR(x.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_event_at,
  TO_CHAR(x.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_expires_at, x.status AS form_status,
  TO_CHAR(x.form_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS form_at, TO_CHAR(x.replaced_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS replaced_at,
  x.operation_id AS operation_id, x.caller_id AS caller_id, x.request_id AS request_id,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_HISTORY x ON x.order_seq = m.order_seq
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.export_records: export of a user: messages, memories and profile, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number,
--     allowed_agents clob
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     message_seq number, after_position number, after_number number, page_total number
WITH page AS (SELECT x.record_family, x.record_id, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_RECORD x
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND (x.expires_at IS NULL OR x.expires_at > SYSTIMESTAMP) AND x.record_family <> 'agent_profile' AND (x.user_id = :user_id
      OR x.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.user_id = :user_id AND t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
      OR (x.record_family = 'user_profile' AND x.record_id = :user_id)) AND (x.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR x.record_family = 'agent_profile' AND x.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_family, p.record_id, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.content), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD x ON x.record_family = p.record_family AND x.record_id = p.record_id)
SELECT x.record_id AS record_id,
  x.record_type AS record_type,
  x.thread_id AS record_thread_id,
  x.user_id AS record_user_id,
  x.agent_id AS record_agent_id,
  x.message_role AS message_role,
  x.content AS content,
  x.content_empty AS content_empty,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS record_metadata,
  x.status AS record_status,
  TO_CHAR(x.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(x.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(x.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(x.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  x.message_seq AS message_seq,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_RECORD x ON x.record_family = m.record_family AND x.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

-- users.export_threads: export of a user: threads, a page
--   binds: user_id text, after number, after_number number, page_rows number, character_limit number,
--     allowed_users clob
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, summary_expires_at timestamp, hides_messages boolean,
--     after_position number, after_number number, page_total number
WITH page AS (SELECT x.thread_id, x.order_seq AS row_place, 0 AS row_within
  FROM MEMORY_THREAD x
  WHERE (x.order_seq > :after OR (x.order_seq = :after AND 0 > :after_number))
    AND x.user_id = :user_id AND x.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)
  ORDER BY row_place, row_within
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.thread_id, p.row_place, p.row_within,
    SUM((NVL(LENGTH(x.running_summary), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))
      + LENGTH(JSON_SERIALIZE(x.config RETURNING CLOB)))) OVER (ORDER BY p.row_place, p.row_within) - (NVL(LENGTH(x.running_summary), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))
      + LENGTH(JSON_SERIALIZE(x.config RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_THREAD x ON x.thread_id = p.thread_id)
SELECT x.thread_id AS thread_id,
  x.user_id AS thread_user_id,
  x.agent_id AS thread_agent_id,
  JSON_SERIALIZE(x.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(x.config RETURNING CLOB) AS thread_config,
  x.message_count AS message_count,
  x.extracted_seq AS extracted_seq,
  x.summarized_seq AS summarized_seq,
  x.running_summary AS running_summary,
  CASE WHEN (x.summary_stale = 1 OR x.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(x.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(x.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  TO_CHAR(x.summary_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS summary_expires_at, CASE WHEN EXISTS (SELECT 1 FROM MEMORY_RECORD h
    WHERE h.thread_id = x.thread_id AND h.record_family = 'message'
      AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD g
        WHERE g.record_family = 'message' AND g.record_id = h.record_id AND g.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) THEN 1 ELSE 0 END AS hides_messages,
  m.row_place AS after_position, m.row_within AS after_number, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_THREAD x ON x.thread_id = m.thread_id
WHERE m.size_before < :character_limit
ORDER BY m.row_place, m.row_within;

----------------------------------------------------------------------------------------------------------------------
-- Service, with an embedding model in the database
-- 632 texts; here: those that show what no text above does
----------------------------------------------------------------------------------------------------------------------

-- extraction.finish_with_memories: end of a pass: memories, superseded ones, outcome of the job, watermark
--   binds: job_id text, lease_token text, job_status text, reason_code text, reason_detail text, memory_ids clob,
--     llm_calls number, prompt_tokens number, completion_tokens number, superseded_ids clob, author_caller text,
--     author_request text, superseding_operation text, author_operation text, records clob, chunks clob,
--     memory_total number, position_sum number
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_job_status VARCHAR2(4000 CHAR) := :job_status;
  l_reason_code VARCHAR2(4000 CHAR) := :reason_code;
  l_reason_detail VARCHAR2(4000 CHAR) := :reason_detail;
  l_memory_ids CLOB := :memory_ids;
  l_llm_calls NUMBER := :llm_calls;
  l_prompt_tokens NUMBER := :prompt_tokens;
  l_completion_tokens NUMBER := :completion_tokens;
  l_superseded_ids CLOB := :superseded_ids;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
  l_superseding_operation VARCHAR2(4000 CHAR) := :superseding_operation;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_records CLOB := :records;
  l_chunks CLOB := :chunks;
  l_memory_total NUMBER := :memory_total;
  l_position_sum NUMBER := :position_sum;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.order_seq = (SELECT MIN(f.order_seq)
  FROM MEMORY_THREAD o
    JOIN MEMORY_THREAD f ON f.user_id = o.user_id AND f.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.extracted_seq = CASE WHEN l_job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM MEMORY_JOB j
      WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token AND j.kind = 'extraction'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token);
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost or its thread is gone');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
  AND EXISTS (SELECT 1 FROM (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id) AND r.record_family = 'memory') m
    WHERE m.memory_total = l_memory_total AND m.position_sum = l_position_sum);
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'memories of the same user and agent were added or removed meanwhile');
  END IF;
  UPDATE MEMORY_JOB j
SET j.status = l_job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = l_now, j.reason_code = l_reason_code, j.reason_detail = l_reason_detail,
  j.memory_ids = l_memory_ids,
  j.llm_calls = j.llm_calls + l_llm_calls,
  j.prompt_tokens = CASE WHEN l_prompt_tokens IS NULL THEN j.prompt_tokens ELSE NVL(j.prompt_tokens, 0) + l_prompt_tokens END,
  j.completion_tokens = CASE WHEN l_completion_tokens IS NULL THEN j.completion_tokens ELSE NVL(j.completion_tokens, 0) + l_completion_tokens END
WHERE j.job_id = l_job_id AND j.status = 'running' AND j.lease_token = l_lease_token;
  :rows_4 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the lease of the job was lost');
  END IF;
  INSERT INTO MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id,
  content, content_empty, metadata, status, created_at, updated_at, event_at, expires_at)
SELECT j.record_family, j.record_id, j.record_type,
  CASE WHEN j.own_thread = 1 THEN j.thread_id ELSE t.thread_id END,
  CASE WHEN j.own_user = 1 THEN j.user_id ELSE t.user_id END,
  CASE WHEN j.own_agent = 1 THEN j.agent_id ELSE t.agent_id END,
  j.content, j.content_empty, JSON(j.metadata), 'active', l_now, l_now,
  TO_TIMESTAMP_TZ(j.event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'),
  CASE WHEN j.ttl_days IS NULL THEN TO_TIMESTAMP_TZ(j.expires_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE l_now + NUMTODSINTERVAL(j.ttl_days, 'DAY') END
FROM JSON_TABLE(l_records, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    ordinal FOR ORDINALITY,
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    record_type VARCHAR2(16 CHAR) PATH '$.type',
    thread_id VARCHAR2(128 CHAR) PATH '$.threadId',
    user_id VARCHAR2(128 CHAR) PATH '$.userId',
    agent_id VARCHAR2(128 CHAR) PATH '$.agentId',
    own_user NUMBER PATH '$.ownUser',
    own_agent NUMBER PATH '$.ownAgent',
    own_thread NUMBER PATH '$.ownThread',
    content CLOB PATH '$.content',
    content_empty NUMBER PATH '$.contentEmpty',
    metadata CLOB PATH '$.metadata',
    event_at VARCHAR2(40 CHAR) PATH '$.eventAt',
    expires_at VARCHAR2(40 CHAR) PATH '$.expiresAt',
    ttl_days NUMBER PATH '$.ttlDays')) j
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id)
ORDER BY j.ordinal;
  :rows_5 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, CASE WHEN j.text_to_embed IS NULL THEN TO_VECTOR(j.embedding, 1536, FLOAT32)
    ELSE VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING j.text_to_embed AS DATA) END
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector',
    text_to_embed VARCHAR2(4000 BYTE) PATH '$.textToEmbed')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id;
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_memory_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_HISTORY (record_family, record_id, record_type, thread_id, user_id, agent_id, content, content_empty, metadata, status, event_at, expires_at,
  form_at, replaced_at, operation_id, caller_id, request_id)
SELECT r.record_family, r.record_id, r.record_type, r.thread_id, r.user_id, r.agent_id, r.content, r.content_empty, r.metadata, r.status, r.event_at, r.expires_at,
  r.updated_at, l_now, l_superseding_operation, l_author_caller, l_author_request
FROM MEMORY_RECORD r
WHERE r.record_family = 'memory' AND r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_superseding_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id))) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_9 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = 'superseded', r.updated_at = l_now
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_CHUNK r
SET r.status = 'superseded'
WHERE r.status = 'active' AND r.record_family = 'memory' AND r.record_id IN (SELECT i.record_id
      FROM JSON_TABLE(l_superseded_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
        record_id VARCHAR2(128 CHAR) PATH '$')) i)
  AND r.user_id = (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = (SELECT j.thread_id FROM MEMORY_JOB j WHERE j.job_id = l_job_id));
  :rows_11 := SQL%ROWCOUNT;
END;
/

-- extraction.read_input_with_memories: the same with a search for memories near messages that are known before
--   binds: text_to_embed text, search_thread text, type_1 text, type_2 text, type_3 text, type_4 text,
--     boost_factor number, max_results number, hit_character_limit number, character_limit number,
--     newest_count number, newest_characters number, job_id text, lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
candidate AS (
  SELECT c.record_family, c.record_id, c.record_type,
    VECTOR_DISTANCE(c.embedding, (SELECT VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING :text_to_embed AS DATA) FROM dual), COSINE) * CASE WHEN c.thread_id = :search_thread THEN :boost_factor ELSE 1 END AS distance
  FROM MEMORY_CHUNK c
  WHERE c.embedding IS NOT NULL
    AND c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4)),
nearest AS (
  SELECT d.record_family, d.record_id, d.record_type, MIN(d.distance) AS distance
  FROM candidate d
  GROUP BY d.record_family, d.record_id, d.record_type),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head
  UNION ALL
  SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place
  FROM fitting f)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- schema.read_model: width of the vectors of the embedding model, at the first request
--   columns: model_dimensions number
SELECT VECTOR_DIMENSION_COUNT(VECTOR_EMBEDDING(MODELS.ALL_MINILM_L12_V2 USING 'width' AS DATA)) AS model_dimensions FROM dual;

----------------------------------------------------------------------------------------------------------------------
-- Service, installed statements (ORDS_MODE=module)
-- 507 texts; here: those that show what no text above does
----------------------------------------------------------------------------------------------------------------------

-- agents.count_cascade: what deleting an agent with all that is theirs would remove
--   binds: actor_id text, actor_family text, allowed_users clob, allowed_agents clob, allowed_threads clob
--   columns: record_total number
SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND (:allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = :actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = :actor_id AND (:allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) AND ((:allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
      OR (r.record_family = :actor_family AND r.record_id = :actor_id AND ((:allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) AS record_total
FROM dual;

-- agents.delete_cascade: deletes an agent with threads, records, retrieval rows and jobs that are theirs
--   binds: actor_id text, actor_family text, allowed_users clob, allowed_agents clob, allowed_threads clob,
--     author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14, rows_15
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_actor_id VARCHAR2(4000 CHAR) := :actor_id;
  l_actor_family VARCHAR2(4000 CHAR) := :actor_family;
  l_allowed_users CLOB := :allowed_users;
  l_allowed_agents CLOB := :allowed_agents;
  l_allowed_threads CLOB := :allowed_threads;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'agent', JSON_ARRAY(l_actor_id RETURNING CLOB), s.subject_total,
  NULL, l_actor_id, NULL, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
  + (SELECT COUNT(*) FROM MEMORY_RECORD r
    WHERE (r.agent_id = l_actor_id OR r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))
      OR (r.record_family = l_actor_family AND r.record_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.record_family = 'message';
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) AND r.record_family = 'message';
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_8 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST r
WHERE r.thread_id IN (SELECT t.thread_id FROM MEMORY_THREAD t WHERE t.agent_id = l_actor_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_9 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD r
WHERE r.agent_id = l_actor_id AND (l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_10 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.agent_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_11 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.agent_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_12 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY r
WHERE r.agent_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_13 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_14 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK r
WHERE r.record_family = l_actor_family AND r.record_id = l_actor_id AND ((l_allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_15 := SQL%ROWCOUNT;
END;
/

-- audit.list: lists who wrote and deleted what, newest first
--   binds: before number, since text, page_rows number, row_limit number, character_limit number,
--     asks_user_id number, user_id text
--   columns: occurred_at timestamp, operation_id text, caller_id text, request_id text, subject text,
--     subject_ids json, subject_total number, audit_user_id text, audit_agent_id text, audit_thread_id text,
--     audit_position number, page_total number
WITH page AS (SELECT a.order_seq
  FROM MEMORY_AUDIT a
  WHERE a.order_seq < :before
    AND a.occurred_at >= TO_TIMESTAMP_TZ(:since, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    AND (:asks_user_id = 0 OR a.user_id = :user_id)
  ORDER BY a.order_seq DESC
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.order_seq, ROW_NUMBER() OVER (ORDER BY p.order_seq DESC) AS newest_rank,
    SUM(LENGTH(a.subject_ids)) OVER (ORDER BY p.order_seq DESC) - LENGTH(a.subject_ids) AS size_before
  FROM page p
    JOIN MEMORY_AUDIT a ON a.order_seq = p.order_seq)
SELECT TO_CHAR(a.occurred_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS occurred_at, a.operation_id AS operation_id, a.caller_id AS caller_id,
  a.request_id AS request_id, a.subject AS subject, a.subject_ids AS subject_ids, a.subject_total AS subject_total,
  a.user_id AS audit_user_id, a.agent_id AS audit_agent_id, a.thread_id AS audit_thread_id,
  a.order_seq AS audit_position, (SELECT COUNT(*) FROM page) AS page_total
FROM measured m
  JOIN MEMORY_AUDIT a ON a.order_seq = m.order_seq
WHERE m.newest_rank <= :row_limit AND m.size_before < :character_limit
ORDER BY a.order_seq DESC;

-- extraction.read_input_with_memories: the same with a search for memories near messages that are known before
--   binds: word_1 clob, word_2 clob, word_3 clob, word_4 clob, word_5 clob, word_6 clob, word_total number,
--     candidate_total number, search_thread text, scope_agent text, agent_effect text, agent_source text,
--     scope_thread text, thread_effect text, thread_source text, type_1 text, type_2 text, type_3 text, type_4 text,
--     type_5 text, type_6 text, type_7 text, boost_factor number, max_results number, hit_character_limit number,
--     character_limit number, newest_count number, newest_characters number, job_id text, lease_token text
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, record_id text, record_type text,
--     record_thread_id text, record_user_id text, record_agent_id text, message_role text, content text,
--     content_empty boolean, record_metadata json, record_status text, event_at timestamp, expires_at timestamp,
--     record_created_at timestamp, record_updated_at timestamp, memory_total number, position_sum number,
--     job_from_seq number, job_upto_seq number, job_window number, message_seq number, hit_rank number,
--     newest_place number
WITH head AS (SELECT t.thread_id, t.user_id, t.agent_id, j.from_seq, j.upto_seq,
    CASE WHEN j.kind = 'message_edit' AND JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) = -1 THEN 10 ELSE JSON_VALUE(t.config, '$.extraction.memoryExtractionWindow' RETURNING NUMBER) END AS window_messages,
    CASE
      WHEN JSON_VALUE(t.config, '$.extraction.enableContextSummary' RETURNING VARCHAR2(5)) = 'false' THEN j.upto_seq
      WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN CASE WHEN j.upto_seq < t.message_count THEN j.upto_seq ELSE 0 END
      WHEN j.upto_seq - t.summarized_seq
        < JSON_VALUE(t.config, '$.extraction.contextSummaryUpdateFrequency' RETURNING NUMBER) THEN j.upto_seq
      ELSE t.summarized_seq END AS summarized_upto
  FROM MEMORY_JOB j
    JOIN MEMORY_THREAD t ON t.thread_id = j.thread_id
  WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token),
shown AS (SELECT r.record_id, r.message_seq, h.from_seq, h.window_messages, h.summarized_upto,
    ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM head h
    JOIN MEMORY_RECORD r ON r.thread_id = h.thread_id AND r.record_family = 'message'
  WHERE r.message_seq <= h.upto_seq AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM shown s
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
  WHERE s.newest_rank <= 5000 AND (s.message_seq >= s.from_seq OR s.newest_rank <= s.window_messages
    OR (s.message_seq > s.summarized_upto AND s.newest_rank <= 500))),
tally AS (SELECT COUNT(*) AS memory_total, NVL(SUM(r.order_seq), 0) AS position_sum
  FROM MEMORY_THREAD o
    JOIN MEMORY_RECORD r ON r.user_id = o.user_id AND r.agent_id = o.agent_id
  WHERE o.thread_id = (SELECT h.thread_id FROM head h) AND r.record_family = 'memory'),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND (:agent_effect <> 'exact' OR (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:thread_effect <> 'exact' OR (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL))
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4, :type_5, :type_6, :type_7)),
word_place AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 1 AND CONTAINS(c.chunk_text, :word_1, 1) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 2 AND CONTAINS(c.chunk_text, :word_2, 2) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
  UNION ALL
  SELECT 3 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 3 AND CONTAINS(c.chunk_text, :word_3, 3) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
  UNION ALL
  SELECT 4 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 4 AND CONTAINS(c.chunk_text, :word_4, 4) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
  UNION ALL
  SELECT 5 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 5 AND CONTAINS(c.chunk_text, :word_5, 5) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
  UNION ALL
  SELECT 6 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 6 AND CONTAINS(c.chunk_text, :word_6, 6) > 0 AND c.status = 'active' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)),
held AS (
  SELECT x.word_no, c.record_family, c.record_id, c.chunk_no, c.record_type, CASE WHEN :agent_effect = 'boost' AND (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)) THEN :boost_factor ELSE 1 END
      * CASE WHEN :thread_effect = 'boost' AND (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL) THEN :boost_factor ELSE 1 END AS factor
  FROM word_place x
    JOIN MEMORY_CHUNK c
      ON c.record_family = x.record_family AND c.record_id = x.record_id AND c.chunk_no = x.chunk_no
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)
    AND (:agent_effect <> 'exact' OR (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:thread_effect <> 'exact' OR (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL))
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4, :type_5, :type_6, :type_7)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (:word_total - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, MAX(h.record_type) AS record_type, MAX(h.factor) AS factor, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MAX(u.own_weight) + SUM(u.beside_weight) AS weight, MAX(u.own_weight) AS own_weight
  FROM (SELECT o.record_family, o.record_id, o.record_type, o.factor, o.weight AS own_weight, 0 AS beside_weight
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.weight, d.own_weight
  FROM scored d
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))) / 1.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit),
recent AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.order_seq DESC) AS newest_place
  FROM head h
    JOIN MEMORY_RECORD r ON r.user_id = h.user_id AND r.agent_id = h.agent_id
  WHERE r.record_family = 'memory' AND r.status = 'active' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND LENGTH(r.content) <= :newest_characters
    AND NOT EXISTS (SELECT 1 FROM picked p
      WHERE p.record_family = r.record_family AND p.record_id = r.record_id)),
listed AS (SELECT 'message' AS record_family, s.record_id, NULL AS hit_rank, NULL AS newest_place
  FROM measured s
  WHERE s.size_newer < :character_limit
  UNION ALL
  SELECT 'memory' AS record_family, e.record_id, NULL AS hit_rank, e.newest_place
  FROM recent e
  WHERE e.newest_place <= :newest_count
  UNION ALL
  SELECT NULL AS record_family, NULL AS record_id, NULL AS hit_rank, NULL AS newest_place
  FROM head
  UNION ALL
  SELECT f.record_family, f.record_id, f.hit_rank, NULL AS newest_place
  FROM fitting f)
SELECT h.from_seq AS job_from_seq, h.upto_seq AS job_upto_seq, h.window_messages AS job_window,
  y.memory_total AS memory_total, y.position_sum AS position_sum,
  t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at,
  x.hit_rank AS hit_rank, x.newest_place AS newest_place, m.message_seq AS message_seq,
  m.record_id AS record_id,
  m.record_type AS record_type,
  m.thread_id AS record_thread_id,
  m.user_id AS record_user_id,
  m.agent_id AS record_agent_id,
  m.message_role AS message_role,
  m.content AS content,
  m.content_empty AS content_empty,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS record_metadata,
  m.status AS record_status,
  TO_CHAR(m.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(m.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(m.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(m.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM head h
  CROSS JOIN tally y
  CROSS JOIN listed x
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND x.record_id IS NULL
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = x.record_family AND m.record_id = x.record_id;

-- messages.edit: changes a message and its text, and starts the extraction over it
--   binds: record_family text, record_id text, thread_id text, content clob, content_empty number, metadata clob,
--     sets_event_at number, event_at text, ttl_days number, chunks clob, job_id text, max_attempts number,
--     lease_token text, lease_seconds number, queue_capacity number, author_operation text, author_caller text,
--     author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8, rows_9, rows_10, rows_11, rows_12,
--     rows_13, rows_14
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_content CLOB := :content;
  l_content_empty NUMBER := :content_empty;
  l_metadata CLOB := :metadata;
  l_sets_event_at NUMBER := :sets_event_at;
  l_event_at VARCHAR2(4000 CHAR) := :event_at;
  l_ttl_days NUMBER := :ttl_days;
  l_chunks CLOB := :chunks;
  l_job_id VARCHAR2(4000 CHAR) := :job_id;
  l_max_attempts NUMBER := :max_attempts;
  l_lease_token VARCHAR2(4000 CHAR) := :lease_token;
  l_lease_seconds NUMBER := :lease_seconds;
  l_queue_capacity NUMBER := :queue_capacity;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id;
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'thread not found');
  END IF;
  UPDATE MEMORY_THREAD t
SET t.updated_at = l_now
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id);
  :rows_2 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.status = r.status
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND r.thread_id = l_thread_id;
  :rows_3 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'message not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_4 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.updated_at = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN l_now ELSE t.updated_at END,
  t.summary_stale = CASE WHEN t.summary_stale = 1
  OR GREATEST(t.summarized_seq, NVL((SELECT MAX(j.upto_seq) FROM MEMORY_JOB j
    WHERE j.thread_id = t.thread_id AND j.status = 'running'), 0)) >= (SELECT r.message_seq FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)) THEN 1 ELSE 0 END
WHERE t.thread_id = (SELECT r.thread_id FROM MEMORY_RECORD r
  WHERE r.record_family = 'message' AND r.record_id = l_record_id AND r.thread_id = l_thread_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK c
WHERE c.record_family = l_record_family AND c.record_id = l_record_id
  AND EXISTS (SELECT 1 FROM MEMORY_RECORD r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0));
  :rows_6 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id,
  status, expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id, j.chunk_no, r.record_type, r.thread_id, r.user_id, r.agent_id,
  r.status, r.expires_at, j.chunk_text, TO_VECTOR(j.embedding, 1536, FLOAT32)
FROM JSON_TABLE(l_chunks, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    record_family VARCHAR2(16 CHAR) PATH '$.family',
    record_id VARCHAR2(128 CHAR) PATH '$.id',
    chunk_no NUMBER PATH '$.number',
    chunk_text CLOB PATH '$.text',
    embedding CLOB PATH '$.vector')) j
  JOIN MEMORY_RECORD r ON r.record_family = j.record_family AND r.record_id = j.record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0);
  :rows_7 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'running', d.from_seq, d.upto_seq,
  1, l_max_attempts, l_lease_token, l_now + NUMTODSINTERVAL(l_lease_seconds, 'SECOND'), NULL,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, l_now, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'inline';
  :rows_8 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'pending', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, l_now,
  NULL, NULL,
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, NULL
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background' AND (SELECT COUNT(*) FROM MEMORY_JOB q
    WHERE q.status = 'pending' AND ROWNUM <= l_queue_capacity) < l_queue_capacity;
  :rows_9 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_JOB (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT l_job_id, 'message_edit', d.thread_id, 'cancelled', d.from_seq, d.upto_seq,
  0, l_max_attempts, NULL, NULL, NULL,
  'extraction_queue_full', 'As many extraction jobs are pending as this store takes.',
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM MEMORY_RECORD r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  l_now, NULL, l_now
FROM (SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM MEMORY_THREAD t
    JOIN MEMORY_RECORD r ON r.thread_id = t.thread_id
  WHERE t.thread_id = l_thread_id AND r.record_family = 'message' AND r.record_id = l_record_id AND (r.content IS NULL OR l_content IS NULL OR DBMS_LOB.COMPARE(r.content, l_content) <> 0)
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM MEMORY_JOB p WHERE p.job_id = l_job_id);
  :rows_10 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.content = l_content,
  r.content_empty = l_content_empty,
  r.metadata = CASE WHEN l_metadata IS NULL THEN r.metadata ELSE JSON(l_metadata) END,
  r.event_at = CASE WHEN l_sets_event_at = 1 THEN TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') ELSE r.event_at END,
  r.expires_at = CASE WHEN CASE WHEN l_sets_event_at = 1 THEN TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') ELSE r.event_at END > TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') - NUMTODSINTERVAL(l_ttl_days, 'DAY') THEN TO_TIMESTAMP_TZ('9999-12-31T23:59:59.999+00:00', 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM')
    ELSE CASE WHEN l_sets_event_at = 1 THEN TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') ELSE r.event_at END + NUMTODSINTERVAL(l_ttl_days, 'DAY') END
WHERE r.record_family = l_record_family AND r.record_id = l_record_id;
  :rows_11 := SQL%ROWCOUNT;
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND r.event_at IS NOT NULL;
  :rows_12 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20409, 'the record has no timestamp');
  END IF;
  UPDATE MEMORY_CHUNK c
SET c.expires_at = (SELECT r.expires_at FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id)
WHERE c.record_family = l_record_family AND c.record_id = l_record_id;
  :rows_13 := SQL%ROWCOUNT;
  UPDATE MEMORY_THREAD t
SET t.summary_expires_at = (SELECT MIN(r.expires_at) FROM MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq <= t.summarized_seq
    AND (r.expires_at > l_now OR r.record_id = l_record_id))
WHERE t.thread_id = (SELECT m.thread_id FROM MEMORY_RECORD m
  WHERE m.record_family = 'message' AND m.record_id = l_record_id)
  AND (t.summary_expires_at IS NULL OR t.summary_expires_at > l_now);
  :rows_14 := SQL%ROWCOUNT;
END;
/

-- records.list: lists records
--   binds: record_family text, after_position number, page_rows number, character_limit number, search_thread text,
--     scope_user text, user_effect text, user_source text, scope_agent text, agent_effect text, agent_source text,
--     scope_thread text, asks_wanted_record_type number, wanted_record_type text, asks_wanted_status number,
--     wanted_status text, metadata_filter clob
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     record_position number, found_rows number
WITH page AS (SELECT r.record_id, r.order_seq
  FROM MEMORY_RECORD r
  WHERE r.record_family = :record_family AND r.order_seq > :after_position
    AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP)
    AND r.thread_id = :scope_thread
    AND (:user_effect <> 'exact' OR (r.user_id = :scope_user
      OR :user_source = 'nobody' AND r.user_id IS NULL
      OR :user_source = 'thread' AND r.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:agent_effect <> 'exact' OR (r.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND r.agent_id IS NULL
      OR :agent_source = 'thread' AND r.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:asks_wanted_record_type = 0 OR r.record_type = :wanted_record_type)
    AND (:asks_wanted_status = 0 OR r.status = :wanted_status)
    AND MEMORY_METADATA_MATCHES(r.metadata, :metadata_filter) = 1
  ORDER BY r.order_seq
  FETCH FIRST :page_rows ROWS ONLY),
measured AS (SELECT p.record_id, p.order_seq, COUNT(*) OVER (PARTITION BY r.record_family) AS found_rows,
    SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY p.order_seq) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_before
  FROM page p
    JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = p.record_id)
SELECT r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at,
  m.order_seq AS record_position, m.found_rows AS found_rows
FROM measured m
  JOIN MEMORY_RECORD r ON r.record_family = :record_family AND r.record_id = m.record_id
WHERE m.size_before < :character_limit
ORDER BY m.order_seq;

-- records.search_by_both: hybrid search: words and meaning
--   binds: word_1 clob, word_2 clob, word_3 clob, word_4 clob, word_5 clob, word_6 clob, word_total number,
--     query_vector clob, candidate_total number, search_thread text, scope_user text, user_effect text,
--     user_source text, scope_agent text, agent_effect text, agent_source text, scope_thread text,
--     thread_effect text, thread_source text, type_1 text, type_2 text, type_3 text, type_4 text, type_5 text,
--     type_6 text, type_7 text, metadata_filter clob, boost_factor number, max_results number,
--     hit_character_limit number
--   columns: record_id text, record_type text, record_thread_id text, record_user_id text, record_agent_id text,
--     message_role text, content text, content_empty boolean, record_metadata json, record_status text,
--     event_at timestamp, expires_at timestamp, record_created_at timestamp, record_updated_at timestamp,
--     hit_rank number, distance number
WITH seen AS (
  SELECT c.record_family, c.record_id, c.record_type, CASE WHEN :user_effect = 'boost' AND (c.user_id = :scope_user
      OR :user_source = 'nobody' AND c.user_id IS NULL
      OR :user_source = 'thread' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)) THEN :boost_factor ELSE 1 END
      * CASE WHEN :agent_effect = 'boost' AND (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)) THEN :boost_factor ELSE 1 END
      * CASE WHEN :thread_effect = 'boost' AND (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL) THEN :boost_factor ELSE 1 END AS factor,
    VECTOR_DISTANCE(c.embedding, TO_VECTOR(:query_vector, 1536, FLOAT32), COSINE) AS vector_distance
  FROM MEMORY_CHUNK c
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND (:user_effect <> 'exact' OR (c.user_id = :scope_user
      OR :user_source = 'nobody' AND c.user_id IS NULL
      OR :user_source = 'thread' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:agent_effect <> 'exact' OR (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:thread_effect <> 'exact' OR (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL))
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4, :type_5, :type_6, :type_7)
    AND EXISTS (SELECT 1 FROM MEMORY_RECORD m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND MEMORY_METADATA_MATCHES(m.metadata, :metadata_filter) = 1)),
scope_size AS (
  SELECT COUNT(*) AS total
  FROM seen),
word_place AS (
  SELECT 1 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 1 AND CONTAINS(c.chunk_text, :word_1, 1) > 0 AND c.status = 'active'
  UNION ALL
  SELECT 2 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 2 AND CONTAINS(c.chunk_text, :word_2, 2) > 0 AND c.status = 'active'
  UNION ALL
  SELECT 3 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 3 AND CONTAINS(c.chunk_text, :word_3, 3) > 0 AND c.status = 'active'
  UNION ALL
  SELECT 4 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 4 AND CONTAINS(c.chunk_text, :word_4, 4) > 0 AND c.status = 'active'
  UNION ALL
  SELECT 5 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 5 AND CONTAINS(c.chunk_text, :word_5, 5) > 0 AND c.status = 'active'
  UNION ALL
  SELECT 6 AS word_no, c.record_family, c.record_id, c.chunk_no
  FROM MEMORY_CHUNK c
  WHERE :word_total >= 6 AND CONTAINS(c.chunk_text, :word_6, 6) > 0 AND c.status = 'active'),
held AS (
  SELECT x.word_no, c.record_family, c.record_id, c.chunk_no
  FROM word_place x
    JOIN MEMORY_CHUNK c
      ON c.record_family = x.record_family AND c.record_id = x.record_id AND c.chunk_no = x.chunk_no
  WHERE c.status = 'active'
    AND (c.expires_at IS NULL OR c.expires_at > SYSTIMESTAMP)
    AND (:user_effect <> 'exact' OR (c.user_id = :scope_user
      OR :user_source = 'nobody' AND c.user_id IS NULL
      OR :user_source = 'thread' AND c.user_id = (SELECT o.user_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:agent_effect <> 'exact' OR (c.agent_id = :scope_agent
      OR :agent_source = 'nobody' AND c.agent_id IS NULL
      OR :agent_source = 'thread' AND c.agent_id = (SELECT o.agent_id FROM MEMORY_THREAD o WHERE o.thread_id = :search_thread)))
    AND (:thread_effect <> 'exact' OR (c.thread_id = :scope_thread
      OR :thread_source = 'nobody' AND c.thread_id IS NULL))
    AND c.record_type IN (:type_1, :type_2, :type_3, :type_4, :type_5, :type_6, :type_7)
    AND EXISTS (SELECT 1 FROM MEMORY_RECORD m
      WHERE m.record_family = c.record_family AND m.record_id = c.record_id AND MEMORY_METADATA_MATCHES(m.metadata, :metadata_filter) = 1)),
frequency AS (
  SELECT h.word_no, COUNT(*) AS found
  FROM held h
  GROUP BY h.word_no),
word AS (
  SELECT f.word_no, LN(1 + (t.total - f.found + 0.5) / (f.found + 0.5)) AS weight,
    CASE WHEN f.found <= 25 OR 4 * f.found <= t.total AND f.found <= 1000
      THEN 1 ELSE 0 END AS helps
  FROM frequency f
  CROSS JOIN scope_size t
  WHERE f.found <= 1000 OR 4 * f.found <= t.total OR f.found = (SELECT MIN(g.found) FROM frequency g)),
query_weight AS (
  SELECT NVL((SELECT SUM(w.weight) FROM word w), 0)
    + (:word_total - (SELECT COUNT(*) FROM frequency)) * LN(1 + (t.total + 0.5) / 0.5) AS weight
  FROM scope_size t),
own AS (
  SELECT h.record_family, h.record_id, SUM(w.weight) AS weight
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  GROUP BY h.record_family, h.record_id, h.chunk_no),
spoken AS (
  SELECT DISTINCT h.word_no, w.weight, r.record_family, r.thread_id, r.message_seq, TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS spoken_on
  FROM held h
  JOIN word w ON w.word_no = h.word_no
  JOIN MEMORY_RECORD r ON r.record_family = h.record_family AND r.record_id = h.record_id
  WHERE r.message_seq IS NOT NULL AND w.helps = 1),
conversation AS (
  SELECT d.thread_id, d.spoken_on, SUM(d.weight) AS weight
  FROM (SELECT DISTINCT s.word_no, s.weight, s.thread_id, s.spoken_on FROM spoken s) d
  GROUP BY d.thread_id, d.spoken_on),
place AS (
  SELECT 0 AS step, 9 AS part FROM dual
  UNION ALL
  SELECT -1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT 1 AS step, 0.5 AS part FROM dual
  UNION ALL
  SELECT -2 AS step, 0.25 AS part FROM dual
  UNION ALL
  SELECT 2 AS step, 0.25 AS part FROM dual),
near AS (
  SELECT s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step AS message_seq,
    MAX(s.weight) * LEAST(1, SUM(p.part)) AS weight
  FROM spoken s
  CROSS JOIN place p
  GROUP BY s.word_no, s.record_family, s.thread_id, s.spoken_on, s.message_seq + p.step
  HAVING SUM(p.part) < 9),
near_place AS (
  SELECT n.record_family, n.thread_id, n.spoken_on, n.message_seq, SUM(n.weight) AS weight
  FROM near n
  GROUP BY n.record_family, n.thread_id, n.spoken_on, n.message_seq),
beside AS (
  SELECT r.record_family, r.record_id, n.weight
  FROM near_place n
  JOIN MEMORY_RECORD r
    ON r.thread_id = n.thread_id AND r.record_family = n.record_family AND r.message_seq = n.message_seq
  WHERE TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD') = n.spoken_on),
scored AS (
  SELECT u.record_family, u.record_id, MAX(u.record_type) AS record_type, MAX(u.factor) AS factor,
    MIN(u.vector_distance) AS vector_distance, MAX(u.own_weight) + SUM(u.beside_weight) AS weight,
    MAX(u.own_weight) AS own_weight
  FROM (SELECT s.record_family, s.record_id, s.record_type, s.factor, s.vector_distance, 0 AS own_weight,
      0 AS beside_weight
    FROM seen s
    UNION ALL
    SELECT o.record_family, o.record_id, NULL, NULL, NULL, o.weight, 0
    FROM own o
    UNION ALL
    SELECT b.record_family, b.record_id, NULL, NULL, NULL, 0, b.weight
    FROM beside b) u
  GROUP BY u.record_family, u.record_id
  HAVING MAX(u.record_type) IS NOT NULL),
candidate AS (
  SELECT d.record_family, d.record_id, d.record_type, d.factor, d.vector_distance, d.weight, d.own_weight
  FROM scored d
  WHERE (d.own_weight > 0 OR d.vector_distance IS NOT NULL)
  ORDER BY d.factor * (1 * (1 - CASE WHEN d.weight > 0 THEN d.weight / (SELECT q.weight FROM query_weight q) ELSE 0 END) + 1 * COALESCE(d.vector_distance, 1)), d.record_id, d.record_family
  FETCH FIRST :candidate_total ROWS ONLY),
nearest AS (
  SELECT k.record_family, k.record_id, k.record_type,
    k.factor * (1 + 100 * (1 * (1 - k.weight / (SELECT q.weight FROM query_weight q))
      + 0.5 * (1 - GREATEST(k.own_weight, COALESCE(d.weight, 0)) / (SELECT q.weight FROM query_weight q))
      + 1 * COALESCE(k.vector_distance, 1)) / 2.5) / 101 AS distance
  FROM candidate k
  JOIN MEMORY_RECORD r ON r.record_family = k.record_family AND r.record_id = k.record_id
  LEFT OUTER JOIN conversation d
    ON r.message_seq IS NOT NULL AND d.thread_id = r.thread_id AND d.spoken_on = TO_CHAR(NVL(r.event_at, r.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD')),
picked AS (
  SELECT b.record_family, b.record_id, b.distance,
    ROW_NUMBER() OVER (ORDER BY b.distance, b.record_id, b.record_family) AS hit_rank
  FROM (SELECT n.record_family, n.record_id, n.distance
    FROM nearest n
    ORDER BY n.distance, n.record_id, n.record_family
    FETCH FIRST :max_results ROWS ONLY) b),
sized AS (
  SELECT p.record_family, p.record_id, p.distance, p.hit_rank,
    SUM((NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB)))) OVER (ORDER BY p.hit_rank) - (NVL(LENGTH(z.content), 0) + LENGTH(JSON_SERIALIZE(z.metadata RETURNING CLOB))) AS size_before
  FROM picked p
    JOIN MEMORY_RECORD z ON z.record_family = p.record_family AND z.record_id = p.record_id),
fitting AS (
  SELECT i.record_family, i.record_id, i.distance, i.hit_rank
  FROM sized i
  WHERE i.size_before < :hit_character_limit)
SELECT f.hit_rank AS hit_rank, f.distance AS distance,
  r.record_id AS record_id,
  r.record_type AS record_type,
  r.thread_id AS record_thread_id,
  r.user_id AS record_user_id,
  r.agent_id AS record_agent_id,
  r.message_role AS message_role,
  r.content AS content,
  r.content_empty AS content_empty,
  JSON_SERIALIZE(r.metadata RETURNING CLOB) AS record_metadata,
  r.status AS record_status,
  TO_CHAR(r.event_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS event_at,
  TO_CHAR(r.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS expires_at,
  TO_CHAR(r.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_created_at,
  TO_CHAR(r.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS record_updated_at
FROM dual e
  LEFT OUTER JOIN fitting f ON 1 = 1
  LEFT OUTER JOIN MEMORY_RECORD r ON r.record_family = f.record_family AND r.record_id = f.record_id
WHERE :search_thread IS NULL
  OR EXISTS (SELECT 1 FROM MEMORY_THREAD t WHERE t.thread_id = :search_thread);

-- records.update: changes a record
--   binds: record_family text, record_id text, metadata clob, sets_event_at number, event_at text,
--     asks_thread_id number, thread_id text, asks_record_type number, record_type text, asks_except_type number,
--     except_type text, author_operation text, author_caller text, author_request text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_record_family VARCHAR2(4000 CHAR) := :record_family;
  l_record_id VARCHAR2(4000 CHAR) := :record_id;
  l_metadata CLOB := :metadata;
  l_sets_event_at NUMBER := :sets_event_at;
  l_event_at VARCHAR2(4000 CHAR) := :event_at;
  l_asks_thread_id NUMBER := :asks_thread_id;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_asks_record_type NUMBER := :asks_record_type;
  l_record_type VARCHAR2(4000 CHAR) := :record_type;
  l_asks_except_type NUMBER := :asks_except_type;
  l_except_type VARCHAR2(4000 CHAR) := :except_type;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_RECORD r
SET r.updated_at = l_now,
  r.metadata = CASE WHEN l_metadata IS NULL THEN r.metadata ELSE JSON(l_metadata) END,
  r.event_at = CASE WHEN l_sets_event_at = 1 THEN TO_TIMESTAMP_TZ(l_event_at, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM') ELSE r.event_at END
WHERE r.record_family = l_record_family AND r.record_id = l_record_id AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND (l_asks_thread_id = 0 OR r.thread_id = l_thread_id) AND (l_asks_record_type = 0 OR r.record_type = l_record_type) AND (l_asks_except_type = 0 OR r.record_type <> l_except_type);
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'record not found');
  END IF;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, s.subject,
  JSON_ARRAYAGG(s.record_id ORDER BY s.order_seq RETURNING CLOB), COUNT(*), s.user_id, s.agent_id, s.thread_id
FROM (SELECT CASE r.record_family WHEN 'user_profile' THEN 'user' WHEN 'agent_profile' THEN 'agent'
      ELSE r.record_family END AS subject, r.record_id, r.order_seq, r.thread_id,
    CASE r.record_family WHEN 'user_profile' THEN r.record_id ELSE r.user_id END AS user_id,
    CASE r.record_family WHEN 'agent_profile' THEN r.record_id ELSE r.agent_id END AS agent_id
  FROM MEMORY_RECORD r
  WHERE r.record_family = l_record_family AND r.record_id = l_record_id) s
GROUP BY s.subject, s.user_id, s.agent_id, s.thread_id;
  :rows_2 := SQL%ROWCOUNT;
END;
/

-- threads.delete: deletes a thread with everything in it
--   binds: thread_id text, allowed_users clob, allowed_agents clob, allowed_threads clob, author_operation text,
--     author_caller text, author_request text
--   counts: rows_1, rows_2, rows_3, rows_4, rows_5, rows_6, rows_7, rows_8
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_thread_id VARCHAR2(4000 CHAR) := :thread_id;
  l_allowed_users CLOB := :allowed_users;
  l_allowed_agents CLOB := :allowed_agents;
  l_allowed_threads CLOB := :allowed_threads;
  l_author_operation VARCHAR2(4000 CHAR) := :author_operation;
  l_author_caller VARCHAR2(4000 CHAR) := :author_caller;
  l_author_request VARCHAR2(4000 CHAR) := :author_request;
BEGIN
  UPDATE MEMORY_THREAD t
SET t.message_count = t.message_count
WHERE t.thread_id = l_thread_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_1 := SQL%ROWCOUNT;
  INSERT INTO MEMORY_AUDIT (occurred_at, operation_id, caller_id, request_id, subject, subject_ids, subject_total,
  user_id, agent_id, thread_id, is_removal)
SELECT l_now, l_author_operation, l_author_caller, l_author_request, 'thread', JSON_ARRAY(l_thread_id RETURNING CLOB), s.subject_total,
  (SELECT t.user_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))), (SELECT t.agent_id FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))), l_thread_id, 1
FROM (SELECT (SELECT COUNT(*) FROM MEMORY_THREAD t WHERE t.thread_id = l_thread_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
  + (SELECT COUNT(*) FROM MEMORY_RECORD t WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND ((l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR t.record_family = 'user_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR t.record_family = 'agent_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) AS subject_total FROM dual) s
WHERE s.subject_total > 0;
  :rows_2 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_RECORD t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND ((l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR t.record_family = 'user_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR t.record_family = 'agent_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_3 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_CHUNK t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND ((l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR t.record_family = 'user_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR t.record_family = 'agent_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_4 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_HISTORY t
WHERE t.thread_id = l_thread_id
  AND (t.record_family = 'message' AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))
    OR (EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))) OR NOT EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id)) AND ((l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR t.record_family = 'user_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR t.record_family = 'agent_profile' AND t.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_5 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_JOB t
WHERE t.thread_id = l_thread_id
  AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_6 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_REQUEST t
WHERE t.thread_id = l_thread_id
  AND EXISTS (SELECT 1 FROM MEMORY_THREAD o WHERE o.thread_id = l_thread_id AND (l_allowed_users IS NULL OR o.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR o.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR o.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)));
  :rows_7 := SQL%ROWCOUNT;
  DELETE FROM MEMORY_THREAD t
WHERE t.thread_id = l_thread_id AND (l_allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (l_allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(l_allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l));
  :rows_8 := SQL%ROWCOUNT;
END;
/

-- threads.read_context: context card and summary: the thread with its newest messages
--   binds: thread_id text, recent_messages number, when_stale number, character_limit number, allowed_users clob,
--     allowed_agents clob, allowed_threads clob
--   columns: thread_id text, thread_user_id text, thread_agent_id text, thread_metadata json, thread_config json,
--     message_count number, extracted_seq number, summarized_seq number, running_summary text, summary_stale boolean,
--     thread_created_at timestamp, thread_updated_at timestamp, message_id text, message_seq number,
--     message_role text, message_content text, message_metadata json, message_time timestamp, summary_hidden boolean
WITH head AS (SELECT t.thread_id,
    CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN :when_stale ELSE :recent_messages END AS wanted
  FROM MEMORY_THREAD t
  WHERE t.thread_id = :thread_id AND (:allowed_users IS NULL OR t.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR t.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR t.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))),
shown AS (SELECT r.record_id, ROW_NUMBER() OVER (ORDER BY r.message_seq DESC) AS newest_rank
  FROM MEMORY_RECORD r
  WHERE r.thread_id = :thread_id AND r.record_family = 'message' AND (r.expires_at IS NULL OR r.expires_at > SYSTIMESTAMP) AND ((:allowed_users IS NULL OR r.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR r.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR r.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR r.record_family = 'user_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR r.record_family = 'agent_profile' AND r.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l))),
measured AS (SELECT s.record_id, s.newest_rank, SUM((NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB)))) OVER (ORDER BY s.newest_rank) - (NVL(LENGTH(r.content), 0) + LENGTH(JSON_SERIALIZE(r.metadata RETURNING CLOB))) AS size_newer
  FROM head h
    JOIN shown s ON s.newest_rank <= h.wanted
    JOIN MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id)
SELECT t.thread_id AS thread_id,
  t.user_id AS thread_user_id,
  t.agent_id AS thread_agent_id,
  JSON_SERIALIZE(t.metadata RETURNING CLOB) AS thread_metadata,
  JSON_SERIALIZE(t.config RETURNING CLOB) AS thread_config,
  t.message_count AS message_count,
  t.extracted_seq AS extracted_seq,
  t.summarized_seq AS summarized_seq,
  t.running_summary AS running_summary,
  CASE WHEN (t.summary_stale = 1 OR t.summary_expires_at <= SYSTIMESTAMP) THEN 1 ELSE 0 END AS summary_stale,
  TO_CHAR(t.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_created_at,
  TO_CHAR(t.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS thread_updated_at, CASE WHEN EXISTS (SELECT 1 FROM MEMORY_RECORD h
    WHERE h.thread_id = t.thread_id AND h.record_family = 'message'
      AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD g
        WHERE g.record_family = 'message' AND g.record_id = h.record_id AND ((:allowed_users IS NULL OR g.user_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_agents IS NULL OR g.agent_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) AND (:allowed_threads IS NULL OR g.thread_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_threads, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)) OR g.record_family = 'user_profile' AND g.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_users, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l) OR g.record_family = 'agent_profile' AND g.record_id IN (SELECT l.allowed_id FROM JSON_TABLE(:allowed_agents, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
      allowed_id VARCHAR2(128 CHAR) PATH '$')) l)))) THEN 1 ELSE 0 END AS summary_hidden,
  m.record_id AS message_id,
  m.message_seq AS message_seq,
  m.message_role AS message_role,
  m.content AS message_content,
  JSON_SERIALIZE(m.metadata RETURNING CLOB) AS message_metadata,
  TO_CHAR(NVL(m.event_at, m.created_at) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.FF3"Z"') AS message_time
FROM head h
  LEFT OUTER JOIN measured s ON s.size_newer < :character_limit
  LEFT OUTER JOIN MEMORY_THREAD t ON t.thread_id = h.thread_id AND NVL(s.newest_rank, 1) = 1
  LEFT OUTER JOIN MEMORY_RECORD m ON m.record_family = 'message' AND m.record_id = s.record_id;

----------------------------------------------------------------------------------------------------------------------
-- Sessions of a direct connection (ORACLE_TRANSPORT=thin)
-- 2 texts; here: all
----------------------------------------------------------------------------------------------------------------------

-- session.settings: time zone and comparison of a new session
ALTER SESSION SET TIME_ZONE = '+00:00' NLS_SORT = BINARY NLS_COMP = BINARY NLS_NUMERIC_CHARACTERS = '.,';

-- session.row_access: whose rows the session may touch, before each call (ROW_ISOLATION=vpd)
--   binds: row_access text, row_owners clob
BEGIN
  MEMORY_ROW_ACCESS(:row_access, :row_owners);
END;
/

----------------------------------------------------------------------------------------------------------------------
-- Schema (npm run schema)
-- 55 texts; here: all
----------------------------------------------------------------------------------------------------------------------

-- schema.read_objects: schema: which objects are there
--   binds: object_names clob
--   columns: object_name text, column_name text
WITH wanted AS (SELECT j.object_name FROM JSON_TABLE(:object_names, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (object_name VARCHAR2(128 CHAR) PATH '$')) j) SELECT o.object_name AS object_name, NULL AS column_name FROM user_objects o WHERE o.object_type IN ('TABLE', 'INDEX', 'JOB') AND o.object_name IN (SELECT w.object_name FROM wanted w) UNION ALL SELECT c.table_name AS object_name, c.column_name AS column_name FROM user_tab_columns c WHERE c.table_name IN (SELECT w.object_name FROM wanted w);

-- ddl: schema: definition of an object, or an administrative block
BEGIN
  CTX_DDL.CREATE_PREFERENCE('MEMORY_LEXER', 'WORLD_LEXER');
END;
/

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_THREAD (
  thread_id VARCHAR2(128 CHAR) NOT NULL,
  user_id VARCHAR2(128 CHAR) NOT NULL,
  agent_id VARCHAR2(128 CHAR) NOT NULL,
  metadata JSON DEFAULT '{}' NOT NULL,
  config JSON NOT NULL,
  message_count NUMBER(12) DEFAULT 0 NOT NULL,
  extracted_seq NUMBER(12) DEFAULT 0 NOT NULL,
  summarized_seq NUMBER(12) DEFAULT 0 NOT NULL,
  running_summary CLOB,
  summary_stale NUMBER(1) DEFAULT 0 NOT NULL,
  summary_expires_at TIMESTAMP(3) WITH TIME ZONE,
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT MEMORY_THREAD_PK PRIMARY KEY (thread_id)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_THREAD_USER_IX ON MEMORY_THREAD (user_id, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_THREAD_AGENT_IX ON MEMORY_THREAD (agent_id, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_THREAD_ORDER_IX ON MEMORY_THREAD (order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_RECORD (
  record_family VARCHAR2(16 CHAR) NOT NULL,
  record_id VARCHAR2(128 CHAR) NOT NULL,
  record_type VARCHAR2(16 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  message_seq NUMBER(12),
  message_role VARCHAR2(30 CHAR),
  content CLOB,
  content_empty NUMBER(1) DEFAULT 0 NOT NULL,
  metadata JSON DEFAULT '{}' NOT NULL,
  status VARCHAR2(16 CHAR) DEFAULT 'active' NOT NULL,
  event_at TIMESTAMP(3) WITH TIME ZONE,
  expires_at TIMESTAMP(3) WITH TIME ZONE,
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT MEMORY_RECORD_PK PRIMARY KEY (record_family, record_id),
  CONSTRAINT MEMORY_RECORD_FAMILY_CK
    CHECK (record_family IN ('message', 'memory', 'user_profile', 'agent_profile'))
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_RECORD_THREAD_IX
  ON MEMORY_RECORD (thread_id, record_family, message_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_RECORD_USER_IX ON MEMORY_RECORD (user_id, record_family);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_RECORD_ORDER_IX ON MEMORY_RECORD (record_family, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_RECORD_EXPIRES_IX ON MEMORY_RECORD (expires_at);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_CHUNK (
  record_family VARCHAR2(16 CHAR) NOT NULL,
  record_id VARCHAR2(128 CHAR) NOT NULL,
  chunk_no NUMBER(6) NOT NULL,
  record_type VARCHAR2(16 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  status VARCHAR2(16 CHAR) DEFAULT 'active' NOT NULL,
  expires_at TIMESTAMP(3) WITH TIME ZONE,
  chunk_text CLOB,
  embedding VECTOR(1536, FLOAT32),
  CONSTRAINT MEMORY_CHUNK_PK PRIMARY KEY (record_family, record_id, chunk_no)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_CHUNK_USER_IX ON MEMORY_CHUNK (user_id, record_type);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_CHUNK_THREAD_IX ON MEMORY_CHUNK (thread_id);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_JOB (
  job_id VARCHAR2(128 CHAR) NOT NULL,
  kind VARCHAR2(16 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR) NOT NULL,
  status VARCHAR2(16 CHAR) NOT NULL,
  from_seq NUMBER(12),
  upto_seq NUMBER(12),
  attempt NUMBER(4) DEFAULT 0 NOT NULL,
  max_attempts NUMBER(4) NOT NULL,
  lease_token VARCHAR2(64 CHAR),
  lease_until TIMESTAMP(3) WITH TIME ZONE,
  next_attempt_at TIMESTAMP(3) WITH TIME ZONE,
  reason_code VARCHAR2(40 CHAR),
  reason_detail VARCHAR2(1000 CHAR),
  message_ids CLOB,
  memory_ids CLOB,
  llm_calls NUMBER(6) DEFAULT 0 NOT NULL,
  prompt_tokens NUMBER(12),
  completion_tokens NUMBER(12),
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  started_at TIMESTAMP(3) WITH TIME ZONE,
  finished_at TIMESTAMP(3) WITH TIME ZONE,
  CONSTRAINT MEMORY_JOB_PK PRIMARY KEY (job_id)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_JOB_THREAD_IX ON MEMORY_JOB (thread_id, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_JOB_DUE_IX ON MEMORY_JOB (status, next_attempt_at);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_META (
  meta_key VARCHAR2(64 CHAR) NOT NULL,
  meta_value VARCHAR2(4000 CHAR) NOT NULL,
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT MEMORY_META_PK PRIMARY KEY (meta_key)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_CHUNK_TEXT_IX ON MEMORY_CHUNK (chunk_text)
  INDEXTYPE IS CTXSYS.CONTEXT
  PARAMETERS ('LEXER MEMORY_LEXER STOPLIST CTXSYS.EMPTY_STOPLIST SYNC (ON COMMIT)');

-- ddl: schema: definition of an object, or an administrative block
ALTER TABLE MEMORY_JOB ADD lost_attempts NUMBER(4) DEFAULT 0 NOT NULL;

-- ddl: schema: definition of an object, or an administrative block
ALTER TABLE MEMORY_JOB ADD woken_at TIMESTAMP(3) WITH TIME ZONE;

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_JOB_OPEN_IX ON MEMORY_JOB (thread_id, status, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_JOB_FINISHED_IX ON MEMORY_JOB (finished_at);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_REQUEST (
  request_key VARCHAR2(64 CHAR) NOT NULL,
  request_hash VARCHAR2(64 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  job_id VARCHAR2(128 CHAR),
  job_state CLOB,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT MEMORY_REQUEST_PK PRIMARY KEY (request_key)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_REQUEST_THREAD_IX ON MEMORY_REQUEST (thread_id);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_REQUEST_USER_IX ON MEMORY_REQUEST (user_id);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_REQUEST_CREATED_IX ON MEMORY_REQUEST (created_at);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_AUDIT (
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  occurred_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  operation_id VARCHAR2(64 CHAR) NOT NULL,
  caller_id VARCHAR2(512 CHAR) NOT NULL,
  request_id VARCHAR2(128 CHAR),
  subject VARCHAR2(16 CHAR) NOT NULL,
  subject_ids CLOB NOT NULL,
  subject_total NUMBER(12) NOT NULL,
  is_removal NUMBER(1) DEFAULT 0 NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  CONSTRAINT MEMORY_AUDIT_PK PRIMARY KEY (order_seq)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_AUDIT_USER_IX ON MEMORY_AUDIT (user_id, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_AUDIT_THREAD_IX ON MEMORY_AUDIT (thread_id);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_AUDIT_TIME_IX ON MEMORY_AUDIT (occurred_at);

-- ddl: schema: definition of an object, or an administrative block
CREATE TABLE MEMORY_HISTORY (
  order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY,
  record_family VARCHAR2(16 CHAR) NOT NULL,
  record_id VARCHAR2(128 CHAR) NOT NULL,
  record_type VARCHAR2(16 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  content CLOB,
  content_empty NUMBER(1) DEFAULT 0 NOT NULL,
  metadata JSON NOT NULL,
  status VARCHAR2(16 CHAR) NOT NULL,
  event_at TIMESTAMP(3) WITH TIME ZONE,
  expires_at TIMESTAMP(3) WITH TIME ZONE,
  form_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  replaced_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  operation_id VARCHAR2(64 CHAR) NOT NULL,
  caller_id VARCHAR2(512 CHAR) NOT NULL,
  request_id VARCHAR2(128 CHAR),
  CONSTRAINT MEMORY_HISTORY_PK PRIMARY KEY (order_seq)
);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_HISTORY_RECORD_IX ON MEMORY_HISTORY (record_family, record_id, order_seq);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_HISTORY_USER_IX ON MEMORY_HISTORY (user_id);

-- ddl: schema: definition of an object, or an administrative block
CREATE INDEX MEMORY_HISTORY_THREAD_IX ON MEMORY_HISTORY (thread_id);

-- ddl: schema: definition of an object, or an administrative block
BEGIN
  DBMS_SCHEDULER.CREATE_JOB(
    job_name => 'PURGE_EXPIRED_RECORDS_J',
    job_type => 'PLSQL_BLOCK',
    job_action => q'[DECLARE
  TYPE t_texts IS TABLE OF VARCHAR2(128 CHAR) INDEX BY PLS_INTEGER;
  l_families t_texts;
  l_ids t_texts;
  l_end TIMESTAMP WITH TIME ZONE := SYSTIMESTAMP + INTERVAL '1' DAY;
BEGIN
  LOOP
    SELECT r.record_family, r.record_id BULK COLLECT INTO l_families, l_ids
      FROM MEMORY_RECORD r
      WHERE r.expires_at <= SYSTIMESTAMP AND ROWNUM <= 1000;
    EXIT WHEN l_ids.COUNT = 0;
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM MEMORY_RECORD r
      WHERE r.record_family = l_families(i) AND r.record_id = l_ids(i) AND r.expires_at <= SYSTIMESTAMP;
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM MEMORY_CHUNK c
      WHERE c.record_family = l_families(i) AND c.record_id = l_ids(i)
        AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
          WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
    FORALL i IN 1 .. l_ids.COUNT
      DELETE FROM MEMORY_HISTORY h
      WHERE h.record_family = l_families(i) AND h.record_id = l_ids(i)
        AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
          WHERE r.record_family = h.record_family AND r.record_id = h.record_id);
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  LOOP
    DELETE FROM MEMORY_CHUNK c
    WHERE ROWNUM <= 1000
      AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
        WHERE r.record_family = c.record_family AND r.record_id = c.record_id);
    EXIT WHEN SQL%ROWCOUNT = 0;
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  LOOP
    DELETE FROM MEMORY_HISTORY h
    WHERE ROWNUM <= 1000
      AND NOT EXISTS (SELECT 1 FROM MEMORY_RECORD r
        WHERE r.record_family = h.record_family AND r.record_id = h.record_id);
    EXIT WHEN SQL%ROWCOUNT = 0;
    COMMIT;
    EXIT WHEN SYSTIMESTAMP >= l_end;
  END LOOP;
  COMMIT;
END;]',
    start_date => SYSTIMESTAMP,
    repeat_interval => 'FREQ=DAILY',
    enabled => TRUE,
    auto_drop => FALSE,
    comments => 'Removes expired records of agent memory');
END;
/

-- schema.write_state: schema: a version is complete
--   binds: entries clob, schema_version text, search_strategy text, search_index_sync text
--   counts: rows_1, rows_2
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_entries CLOB := :entries;
  l_schema_version VARCHAR2(4000 CHAR) := :schema_version;
  l_search_strategy VARCHAR2(4000 CHAR) := :search_strategy;
  l_search_index_sync VARCHAR2(4000 CHAR) := :search_index_sync;
BEGIN
  INSERT INTO MEMORY_META (meta_key, meta_value, updated_at) SELECT j.meta_key, j.meta_value, l_now FROM JSON_TABLE(l_entries, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (meta_key VARCHAR2(64 CHAR) PATH '$.key', meta_value VARCHAR2(4000 CHAR) PATH '$.value')) j WHERE NOT EXISTS (SELECT 1 FROM MEMORY_META m WHERE m.meta_key = j.meta_key);
  :rows_1 := SQL%ROWCOUNT;
  UPDATE MEMORY_META m SET m.updated_at = l_now, m.meta_value = CASE m.meta_key WHEN 'schema_version' THEN TO_CHAR(GREATEST(TO_NUMBER(m.meta_value), TO_NUMBER(l_schema_version))) WHEN 'search_strategy' THEN l_search_strategy ELSE l_search_index_sync END WHERE m.meta_key IN ('schema_version', 'search_strategy', 'search_index_sync');
  :rows_2 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 3 THEN
    RAISE_APPLICATION_ERROR(-20409, 'the memory store is being changed by another process');
  END IF;
END;
/

-- schema.write_retention: schema: new retention policy
--   binds: retention text
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_retention VARCHAR2(4000 CHAR) := :retention;
BEGIN
  UPDATE MEMORY_META m SET m.meta_value = l_retention, m.updated_at = l_now WHERE m.meta_key = 'retention';
  :rows_1 := SQL%ROWCOUNT;
  IF SQL%ROWCOUNT <> 1 THEN
    RAISE_APPLICATION_ERROR(-20404, 'the memory store is not installed');
  END IF;
END;
/

-- ddl: schema: definition of an object, or an administrative block
DROP INDEX MEMORY_CHUNK_VECTOR_IX;

-- ddl: schema: definition of an object, or an administrative block
CREATE VECTOR INDEX MEMORY_CHUNK_VECTOR_IX ON MEMORY_CHUNK (embedding)
  ORGANIZATION INMEMORY NEIGHBOR GRAPH
  DISTANCE COSINE
  WITH TARGET ACCURACY 95
  PARAMETERS (TYPE HNSW, NEIGHBORS 32, EFCONSTRUCTION 300);

-- schema.write_index_kind: schema: which kind of an optional index there is
--   binds: index_key text, kind text
--   counts: rows_1
DECLARE
  l_now TIMESTAMP(3) WITH TIME ZONE := SYSTIMESTAMP;
  l_index_key VARCHAR2(4000 CHAR) := :index_key;
  l_kind VARCHAR2(4000 CHAR) := :kind;
BEGIN
  MERGE INTO MEMORY_META m USING dual ON (m.meta_key = l_index_key) WHEN MATCHED THEN UPDATE SET m.meta_value = l_kind, m.updated_at = l_now WHEN NOT MATCHED THEN INSERT (meta_key, meta_value, updated_at) VALUES (l_index_key, l_kind, l_now);
  :rows_1 := SQL%ROWCOUNT;
END;
/

-- ddl: schema: definition of an object, or an administrative block
CREATE VECTOR INDEX MEMORY_CHUNK_VECTOR_IX ON MEMORY_CHUNK (embedding)
  ORGANIZATION NEIGHBOR PARTITIONS
  DISTANCE COSINE
  WITH TARGET ACCURACY 90;

-- ddl: schema: definition of an object, or an administrative block
DROP INDEX MEMORY_RECORD_JSON_IX;

-- ddl: schema: definition of an object, or an administrative block
CREATE SEARCH INDEX MEMORY_RECORD_JSON_IX ON MEMORY_RECORD (metadata) FOR JSON
  PARAMETERS ('SYNC (ON COMMIT)');

-- schema.read_state: what the store was created with, at the first request
--   columns: meta_key text, meta_value text
SELECT m.meta_key AS meta_key, m.meta_value AS meta_value FROM MEMORY_META m;

-- ddl: schema: definition of an object, or an administrative block
BEGIN
  CTX_DDL.SYNC_INDEX('MEMORY_CHUNK_TEXT_IX');
END;
/

-- ddl: schema: definition of an object, or an administrative block
BEGIN
  CTX_DDL.OPTIMIZE_INDEX('MEMORY_CHUNK_TEXT_IX', 'FULL');
END;
/

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_META PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_HISTORY PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_AUDIT PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_REQUEST PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_JOB PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_CHUNK PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_RECORD PURGE;

-- ddl: schema: definition of an object, or an administrative block
DROP TABLE MEMORY_THREAD PURGE;
