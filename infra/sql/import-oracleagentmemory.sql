-- Copies the threads, messages, memories and profiles of Oracle's Python SDK (oracleagentmemory) into a memory store of this
-- service, in the same database. Run it with SQLcl as a user that reads the tables of the SDK and writes those of the store:
--
--   cd infra/sql && sql agent_memory@myadb_low @import-oracleagentmemory.sql
--
-- It adds rows that are not there and changes none that are, in one transaction: an error leaves nothing behind, and a
-- later run takes what has come since. Nothing may write to either store meanwhile. docs/import.md says what becomes what.
--
-- Assumed of the SDK, whose tables are not documented: release 26.6, schema version 12, with the tables and columns that
-- are named below; TIMESTAMP is ISO-8601 text, and one without an offset is UTC; METADATA is a JSON object; the rows of
-- RECORD_CHUNKS name their record by SOURCE_ID and SOURCE_RECORD_TYPE (message, a type of memory, or one that ends in
-- profile). With another version it stops before it writes.

-- The names of the SDK's tables begin with this: memory_store_id and an underscore ('AGENT_'), or table_name_prefix.
DEFINE source_prefix = ''
-- MEMORY_STORE_ID of the store and an underscore ('SHOP_'), or TABLE_NAME_PREFIX as it is, or nothing.
DEFINE prefix = ''
-- EMBEDDING_DIMENSION of the store. Vectors of another width are not taken.
DEFINE vector_dimensions = 1536
-- yes only when both embed with the same model: vectors of two models cannot be compared. What has no vector is not found
-- by meaning until it is embedded (docs/import.md).
DEFINE take_embeddings = no

WHENEVER SQLERROR EXIT FAILURE ROLLBACK
SET VERIFY OFF

DECLARE
  l_version VARCHAR2(40 CHAR);
BEGIN
  SELECT TO_CHAR(m.metadata_value) INTO l_version
    FROM &source_prefix.ORACLEAGENTMEMORY_SCHEMA_META m
    WHERE m.metadata_key = 'schema_version';
  IF l_version <> '12' THEN
    RAISE_APPLICATION_ERROR(-20001, 'the tables of the SDK have another schema version than 12');
  END IF;
END;
/

-- A user or an agent that a thread does not have becomes one that only this thread has. Nothing is extracted from what is
-- said in these threads until extraction is turned on for them.
INSERT INTO &prefix.MEMORY_THREAD (thread_id, user_id, agent_id, metadata, config, created_at, updated_at)
SELECT s.record_id, NVL(s.user_id, s.record_id), NVL(s.agent_id, s.record_id),
  JSON_MERGEPATCH(CASE WHEN s.metadata IS NULL THEN JSON('{}') ELSE s.metadata END, '{}'),
  JSON('{"extraction": {"extractMemories": false, "extractionMode": "inline", "memoryExtractionFrequency": -1,
    "memoryExtractionWindow": -1, "memoryExtractionTokenLimit": 32000, "enableContextSummary": true,
    "contextSummaryUpdateFrequency": -1, "memoryExtractionCustomInstructions": null,
    "memoryExtractionInheritMessageMetadata": true, "backgroundExtractionQueueFullBehavior": "wait_then_drop",
    "backgroundExtractionQueuePutTimeoutSeconds": 5}, "contextCardTokenLimit": 100000,
    "maxMessageTokenLength": 8000, "messageShorteningInputTokenLimit": 30000}'),
  s.created_at, s.created_at
FROM &source_prefix.THREAD s
WHERE NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_THREAD t WHERE t.thread_id = s.record_id)
ORDER BY s.created_at, s.record_id;

-- A time that is no ISO-8601 time is kept in the metadata, under sdk_timestamp.
INSERT INTO &prefix.MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id, message_seq,
  message_role, content, metadata, status, event_at, expires_at, created_at, updated_at)
SELECT 'message', n.record_id, 'message', n.thread_id, n.user_id, n.agent_id,
  t.message_count + ROW_NUMBER() OVER (PARTITION BY n.thread_id ORDER BY n.order_seq),
  n.message_role, n.content,
  JSON_MERGEPATCH(CASE WHEN n.metadata IS NULL THEN JSON('{}') ELSE n.metadata END,
    CASE WHEN n.event_text IS NULL AND n.timestamp IS NOT NULL
      THEN JSON_OBJECT('sdk_timestamp' VALUE n.timestamp) ELSE '{}' END),
  'active', TO_TIMESTAMP_TZ(n.event_text, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), n.expires_at, n.created_at,
  n.created_at
FROM (SELECT s.record_id, s.thread_id, s.user_id, s.agent_id, s.order_seq, s.message_role, s.content, s.metadata,
    s.timestamp, s.expires_at, s.created_at,
    CASE WHEN REGEXP_LIKE(s.timestamp,
        '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]'
          || '([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?$')
      THEN CASE WHEN TO_NUMBER(SUBSTR(s.timestamp, 9, 2))
          <= TO_NUMBER(TO_CHAR(LAST_DAY(TO_DATE(SUBSTR(s.timestamp, 1, 7) || '-01', 'YYYY-MM-DD')), 'DD'))
        THEN SUBSTR(s.timestamp, 1, 10) || 'T' || NVL(SUBSTR(s.timestamp, 12, 8), '00:00:00') || '.'
          || SUBSTR(NVL(REGEXP_SUBSTR(s.timestamp, '[.]([0-9]+)', 1, 1, NULL, 1), '0') || '00', 1, 3)
          || NVL(REGEXP_SUBSTR(s.timestamp, '[+-][0-9]{2}:[0-9]{2}$'), '+00:00') END END AS event_text
  FROM &source_prefix.MESSAGE s
  WHERE (s.expires_at IS NULL OR s.expires_at > SYSTIMESTAMP)
    AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
      WHERE r.record_family = 'message' AND r.record_id = s.record_id)) n
  JOIN &prefix.MEMORY_THREAD t ON t.thread_id = n.thread_id
ORDER BY n.order_seq;

UPDATE &prefix.MEMORY_THREAD t
SET (t.message_count, t.extracted_seq) = (SELECT MAX(r.message_seq), MAX(r.message_seq)
  FROM &prefix.MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message')
WHERE EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
  WHERE r.thread_id = t.thread_id AND r.record_family = 'message' AND r.message_seq > t.message_count);

INSERT INTO &prefix.MEMORY_RECORD (record_family, record_id, record_type, thread_id, user_id, agent_id, content,
  metadata, status, event_at, expires_at, created_at, updated_at)
SELECT 'memory', n.record_id, n.memory_type, n.thread_id, n.user_id, n.agent_id, n.content,
  JSON_MERGEPATCH(CASE WHEN n.metadata IS NULL THEN JSON('{}') ELSE n.metadata END,
    CASE WHEN n.event_text IS NULL AND n.timestamp IS NOT NULL
      THEN JSON_OBJECT('sdk_timestamp' VALUE n.timestamp) ELSE '{}' END),
  'active', TO_TIMESTAMP_TZ(n.event_text, 'YYYY-MM-DD"T"HH24:MI:SS.FF3TZH:TZM'), n.expires_at, n.created_at,
  n.created_at
FROM (SELECT s.record_id, s.thread_id, s.user_id, s.agent_id, s.order_seq, s.memory_type, s.content, s.metadata,
    s.timestamp, s.expires_at, s.created_at,
    CASE WHEN REGEXP_LIKE(s.timestamp,
        '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])([T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]'
          || '([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-4]):[0-5][0-9])?)?$')
      THEN CASE WHEN TO_NUMBER(SUBSTR(s.timestamp, 9, 2))
          <= TO_NUMBER(TO_CHAR(LAST_DAY(TO_DATE(SUBSTR(s.timestamp, 1, 7) || '-01', 'YYYY-MM-DD')), 'DD'))
        THEN SUBSTR(s.timestamp, 1, 10) || 'T' || NVL(SUBSTR(s.timestamp, 12, 8), '00:00:00') || '.'
          || SUBSTR(NVL(REGEXP_SUBSTR(s.timestamp, '[.]([0-9]+)', 1, 1, NULL, 1), '0') || '00', 1, 3)
          || NVL(REGEXP_SUBSTR(s.timestamp, '[+-][0-9]{2}:[0-9]{2}$'), '+00:00') END END AS event_text
  FROM &source_prefix.MEMORY s
  WHERE (s.expires_at IS NULL OR s.expires_at > SYSTIMESTAMP)
    AND s.memory_type IN ('memory', 'fact', 'guideline', 'preference')
    AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
      WHERE r.record_family = 'memory' AND r.record_id = s.record_id)) n
ORDER BY n.order_seq;

INSERT INTO &prefix.MEMORY_RECORD (record_family, record_id, record_type, content, metadata, status, created_at,
  updated_at)
SELECT s.actor_type || '_profile', s.actor_id, s.actor_type || '_profile', s.information,
  JSON_MERGEPATCH(CASE WHEN s.metadata IS NULL THEN JSON('{}') ELSE s.metadata END, '{}'),
  'active', s.created_at, s.created_at
FROM &source_prefix.ACTOR_PROFILE s
WHERE s.actor_type IN ('user', 'agent')
  AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_RECORD r
    WHERE r.record_family = s.actor_type || '_profile' AND r.record_id = s.actor_id)
ORDER BY s.order_seq;

-- Retrieval rows of records that have none. Those of the SDK hold FLOAT64 vectors, these FLOAT32.
INSERT INTO &prefix.MEMORY_CHUNK (record_family, record_id, chunk_no, record_type, thread_id, user_id, agent_id, status,
  expires_at, chunk_text, embedding)
SELECT r.record_family, r.record_id,
  ROW_NUMBER() OVER (PARTITION BY r.record_family, r.record_id ORDER BY s.chunk_seq, s.chunk_id),
  r.record_type, r.thread_id, r.user_id, r.agent_id, r.status, r.expires_at, s.chunk_text,
  CASE WHEN '&take_embeddings.' = 'yes' AND VECTOR_DIMENSION_COUNT(s.embedding) = &vector_dimensions.
    THEN TO_VECTOR(s.embedding, &vector_dimensions., FLOAT32) END
FROM &source_prefix.RECORD_CHUNKS s
  JOIN &prefix.MEMORY_RECORD r ON r.record_id = s.source_id
    AND r.record_family = CASE WHEN s.source_record_type = 'message' THEN 'message'
      WHEN s.source_record_type LIKE '%profile' THEN (SELECT p.actor_type || '_profile'
        FROM &source_prefix.ACTOR_PROFILE p
        WHERE p.actor_id = s.source_id)
      ELSE 'memory' END
WHERE s.source_record_type <> 'thread'
  AND NOT EXISTS (SELECT 1 FROM &prefix.MEMORY_CHUNK c
    WHERE c.record_family = r.record_family AND c.record_id = r.record_id);

-- What there is and what of it the store has now. The rest has expired, is of a type that the store does not have, or is a
-- message whose thread is missing.
SELECT 'threads' AS kind, COUNT(*) AS in_sdk, COUNT(t.thread_id) AS in_store, 0 AS without_vector
FROM &source_prefix.THREAD s
  LEFT JOIN &prefix.MEMORY_THREAD t ON t.thread_id = s.record_id
UNION ALL
SELECT 'messages', COUNT(*), COUNT(r.record_id), COUNT(CASE WHEN r.record_id IS NOT NULL AND NOT EXISTS (SELECT 1
    FROM &prefix.MEMORY_CHUNK c
    WHERE c.record_family = 'message' AND c.record_id = s.record_id AND c.embedding IS NOT NULL) THEN 1 END)
FROM &source_prefix.MESSAGE s
  LEFT JOIN &prefix.MEMORY_RECORD r ON r.record_family = 'message' AND r.record_id = s.record_id
UNION ALL
SELECT 'memories', COUNT(*), COUNT(r.record_id), COUNT(CASE WHEN r.record_id IS NOT NULL AND NOT EXISTS (SELECT 1
    FROM &prefix.MEMORY_CHUNK c
    WHERE c.record_family = 'memory' AND c.record_id = s.record_id AND c.embedding IS NOT NULL) THEN 1 END)
FROM &source_prefix.MEMORY s
  LEFT JOIN &prefix.MEMORY_RECORD r ON r.record_family = 'memory' AND r.record_id = s.record_id
UNION ALL
SELECT 'profiles', COUNT(*), COUNT(r.record_id), COUNT(CASE WHEN r.record_id IS NOT NULL AND NOT EXISTS (SELECT 1
    FROM &prefix.MEMORY_CHUNK c
    WHERE c.record_family = r.record_family AND c.record_id = s.actor_id AND c.embedding IS NOT NULL) THEN 1 END)
FROM &source_prefix.ACTOR_PROFILE s
  LEFT JOIN &prefix.MEMORY_RECORD r ON r.record_family = s.actor_type || '_profile' AND r.record_id = s.actor_id;

COMMIT;
