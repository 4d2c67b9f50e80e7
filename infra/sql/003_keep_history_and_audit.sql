-- Schema version 3: who changed what, and what memories were before.
--
-- One row for each write and each owner that it concerned, inserted by the block of the write. subject_ids is a JSON
-- array of ids; there is no text of anybody. user_id of a profile is its own id. is_removal marks deletions with all that
-- belonged to something. Rows go after a time that the service is configured with, and those about a user with the deletion
-- of all that is the user's, which leaves one row.
CREATE TABLE &prefix.MEMORY_AUDIT (
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
  CONSTRAINT &prefix.MEMORY_AUDIT_PK PRIMARY KEY (order_seq)
);

CREATE INDEX &prefix.MEMORY_AUDIT_USER_IX ON &prefix.MEMORY_AUDIT (user_id, order_seq);

CREATE INDEX &prefix.MEMORY_AUDIT_THREAD_IX ON &prefix.MEMORY_AUDIT (thread_id);

CREATE INDEX &prefix.MEMORY_AUDIT_TIME_IX ON &prefix.MEMORY_AUDIT (occurred_at);

-- A form that a memory had until replaced_at, with who replaced it. Rows go with their memory: deleted, purged or with
-- its thread or user. form_at is when the memory took this form. record_family is that of the memory, as in MEMORY_CHUNK.
CREATE TABLE &prefix.MEMORY_HISTORY (
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
  CONSTRAINT &prefix.MEMORY_HISTORY_PK PRIMARY KEY (order_seq)
);

CREATE INDEX &prefix.MEMORY_HISTORY_RECORD_IX ON &prefix.MEMORY_HISTORY (record_family, record_id, order_seq);

CREATE INDEX &prefix.MEMORY_HISTORY_USER_IX ON &prefix.MEMORY_HISTORY (user_id);

CREATE INDEX &prefix.MEMORY_HISTORY_THREAD_IX ON &prefix.MEMORY_HISTORY (thread_id);
