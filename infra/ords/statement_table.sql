-- The texts that the service may run, by name and hash. Several texts of one name are there while old and new processes
-- run side by side. Part of what npm run schema -- module prints; can be run again.

CREATE TABLE IF NOT EXISTS &prefix.MEMORY_STATEMENT (
  statement_name VARCHAR2(128 CHAR) NOT NULL,
  statement_hash VARCHAR2(32 CHAR) NOT NULL,
  statement_kind VARCHAR2(6 CHAR) NOT NULL,
  statement_text CLOB NOT NULL,
  text_length NUMBER(9) NOT NULL,
  bind_types CLOB NOT NULL,
  out_names CLOB NOT NULL,
  installed_at TIMESTAMP(3) WITH TIME ZONE NOT NULL,
  CONSTRAINT &prefix.MEMORY_STATEMENT_PK PRIMARY KEY (statement_name, statement_hash)
);
