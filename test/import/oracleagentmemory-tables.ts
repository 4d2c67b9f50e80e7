/**
 * The tables of Oracle's Python SDK at schema version 12, as contract §12 describes them.
 *
 * @param prefix Memory store id and an underscore
 */
export function oracleAgentMemoryTables(prefix: string): readonly string[] {
  const owned = `user_id VARCHAR2(128), agent_id VARCHAR2(128), space_id VARCHAR2(128)`;
  const text = `content CLOB, timestamp VARCHAR2(64), metadata JSON, expires_at TIMESTAMP WITH TIME ZONE,
  created_at TIMESTAMP WITH TIME ZONE NOT NULL`;
  const thread = `thread_id VARCHAR2(128) REFERENCES ${prefix}THREAD (record_id) ON DELETE CASCADE`;
  const order = 'order_seq NUMBER(19) GENERATED ALWAYS AS IDENTITY';
  return [
    `CREATE TABLE ${prefix}ACTOR_PROFILE (actor_id VARCHAR2(128) PRIMARY KEY,
  actor_type VARCHAR2(30) NOT NULL CHECK (actor_type IN ('user', 'agent')), space_id VARCHAR2(128), ${order},
  information CLOB NOT NULL, metadata JSON, created_at TIMESTAMP WITH TIME ZONE NOT NULL)`,
    `CREATE TABLE ${prefix}THREAD (record_id VARCHAR2(128) PRIMARY KEY, ${owned}, metadata JSON, runtime_config JSON,
  runtime_state JSON, created_at TIMESTAMP WITH TIME ZONE NOT NULL)`,
    `CREATE TABLE ${prefix}MESSAGE (record_id VARCHAR2(128) PRIMARY KEY, ${order}, ${thread}, ${owned},
  message_role VARCHAR2(30) NOT NULL, ${text})`,
    `CREATE TABLE ${prefix}MEMORY (record_id VARCHAR2(128) PRIMARY KEY, ${order}, ${thread}, ${owned},
  memory_type VARCHAR2(128) NOT NULL, ${text})`,
    `CREATE TABLE ${prefix}RECORD_CHUNKS (chunk_id NUMBER(19) GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  source_id VARCHAR2(128) NOT NULL, source_record_type VARCHAR2(30) NOT NULL, source_emb_column VARCHAR2(30),
  chunk_seq NUMBER(10) DEFAULT 1 NOT NULL, chunk_text CLOB, thread_id VARCHAR2(128), ${owned},
  embedding VECTOR(*, FLOAT64))`,
    `CREATE TABLE ${prefix}ORACLEAGENTMEMORY_SCHEMA_META (metadata_key VARCHAR2(128) PRIMARY KEY,
  metadata_value VARCHAR2(4000), updated_at TIMESTAMP WITH TIME ZONE)`,
    `INSERT INTO ${prefix}ORACLEAGENTMEMORY_SCHEMA_META (metadata_key, metadata_value) VALUES ('schema_version', '12')`,
  ];
}
