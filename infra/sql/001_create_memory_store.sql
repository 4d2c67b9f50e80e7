-- Schema version 1: the tables of one memory store. Oracle Database 23ai (23.4) or later.
--
-- `npm run schema -- apply` runs this file. To run it by hand with SQLcl, define the names first and record the
-- version afterwards with `npm run schema -- apply`, which then needs no DDL privilege:
--   DEFINE prefix = ''              (or a memory store id and an underscore: 'MEM01_')
--   DEFINE vector_dimensions = 384  (width of the embedder; it cannot be changed later)
--   @001_create_memory_store.sql
--
-- There is no vector index: search is exact by default, because a filtered approximate search loses rows and an exact
-- one is fast up to about 100,000 chunks of one user. There are no foreign keys: deletes are explicit.

CREATE TABLE &prefix.MEMORY_THREAD (
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
  CONSTRAINT &prefix.MEMORY_THREAD_PK PRIMARY KEY (thread_id)
);

CREATE INDEX &prefix.MEMORY_THREAD_USER_IX ON &prefix.MEMORY_THREAD (user_id, order_seq);

CREATE INDEX &prefix.MEMORY_THREAD_AGENT_IX ON &prefix.MEMORY_THREAD (agent_id, order_seq);

CREATE INDEX &prefix.MEMORY_THREAD_ORDER_IX ON &prefix.MEMORY_THREAD (order_seq);

-- Messages, memories of every type, and user and agent profiles: record_family tells them apart, because a user and
-- an agent may have the same id. The text is in content; search reads MEMORY_CHUNK. Text without characters is NULL in
-- Oracle: content_empty tells it from no text at all.
CREATE TABLE &prefix.MEMORY_RECORD (
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
  CONSTRAINT &prefix.MEMORY_RECORD_PK PRIMARY KEY (record_family, record_id),
  CONSTRAINT &prefix.MEMORY_RECORD_FAMILY_CK
    CHECK (record_family IN ('message', 'memory', 'user_profile', 'agent_profile'))
);

CREATE INDEX &prefix.MEMORY_RECORD_THREAD_IX
  ON &prefix.MEMORY_RECORD (thread_id, record_family, message_seq);

CREATE INDEX &prefix.MEMORY_RECORD_USER_IX ON &prefix.MEMORY_RECORD (user_id, record_family);

CREATE INDEX &prefix.MEMORY_RECORD_ORDER_IX ON &prefix.MEMORY_RECORD (record_family, order_seq);

CREATE INDEX &prefix.MEMORY_RECORD_EXPIRES_IX ON &prefix.MEMORY_RECORD (expires_at);

-- Retrieval rows. Scope, type, status and expiry repeat those of the record, so that search ranks before it joins.
CREATE TABLE &prefix.MEMORY_CHUNK (
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
  embedding VECTOR(&vector_dimensions., FLOAT32),
  CONSTRAINT &prefix.MEMORY_CHUNK_PK PRIMARY KEY (record_family, record_id, chunk_no)
);

CREATE INDEX &prefix.MEMORY_CHUNK_USER_IX ON &prefix.MEMORY_CHUNK (user_id, record_type);

CREATE INDEX &prefix.MEMORY_CHUNK_THREAD_IX ON &prefix.MEMORY_CHUNK (thread_id);

-- Work accepted but perhaps not done: the row is written with the messages it is about.
CREATE TABLE &prefix.MEMORY_JOB (
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
  CONSTRAINT &prefix.MEMORY_JOB_PK PRIMARY KEY (job_id)
);

CREATE INDEX &prefix.MEMORY_JOB_THREAD_IX ON &prefix.MEMORY_JOB (thread_id, order_seq);

CREATE INDEX &prefix.MEMORY_JOB_DUE_IX ON &prefix.MEMORY_JOB (status, next_attempt_at);

-- What the store was created with. It is written last: a store without schema_version is not complete.
CREATE TABLE &prefix.MEMORY_META (
  meta_key VARCHAR2(64 CHAR) NOT NULL,
  meta_value VARCHAR2(4000 CHAR) NOT NULL,
  updated_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT &prefix.MEMORY_META_PK PRIMARY KEY (meta_key)
);
