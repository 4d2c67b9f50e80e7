-- Schema version 2: extraction jobs that run in the background, and requests that may be repeated.
--
-- lost_attempts counts the attempts whose worker ended without an outcome. woken_at is when a sweep last sent a wake-up
-- for the job.

ALTER TABLE &prefix.MEMORY_JOB ADD lost_attempts NUMBER(4) DEFAULT 0 NOT NULL;

ALTER TABLE &prefix.MEMORY_JOB ADD woken_at TIMESTAMP(3) WITH TIME ZONE;

CREATE INDEX &prefix.MEMORY_JOB_OPEN_IX ON &prefix.MEMORY_JOB (thread_id, status, order_seq);

CREATE INDEX &prefix.MEMORY_JOB_FINISHED_IX ON &prefix.MEMORY_JOB (finished_at);

-- One row for each request that carried an Idempotency-Key, written with its change. request_key and request_hash are
-- SHA-256 in hex. job_state is what the request left of the job that it started or changed, as JSON, without ids of
-- messages and memories. The row holds no text of the request, and goes with its thread or its user.
CREATE TABLE &prefix.MEMORY_REQUEST (
  request_key VARCHAR2(64 CHAR) NOT NULL,
  request_hash VARCHAR2(64 CHAR) NOT NULL,
  thread_id VARCHAR2(128 CHAR),
  user_id VARCHAR2(128 CHAR),
  agent_id VARCHAR2(128 CHAR),
  job_id VARCHAR2(128 CHAR),
  job_state CLOB,
  created_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT &prefix.MEMORY_REQUEST_PK PRIMARY KEY (request_key)
);

CREATE INDEX &prefix.MEMORY_REQUEST_THREAD_IX ON &prefix.MEMORY_REQUEST (thread_id);

CREATE INDEX &prefix.MEMORY_REQUEST_USER_IX ON &prefix.MEMORY_REQUEST (user_id);

CREATE INDEX &prefix.MEMORY_REQUEST_CREATED_IX ON &prefix.MEMORY_REQUEST (created_at);
