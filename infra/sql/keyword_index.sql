-- Oracle Text index on the chunk text, for the keyword search strategy only.
--
-- To run it by hand with SQLcl, after the numbered files:
--   DEFINE prefix = ''
--   DEFINE index_sync = 'ON COMMIT'  (or 'MANUAL': run CTX_DDL.SYNC_INDEX on a schedule)
--   @keyword_index.sql
--
-- Without stop words, because a query of common words alone would find nothing. The default lexer splits text at
-- spaces and punctuation; a WORLD_LEXER preference (Chinese, Japanese, Korean) needs the CTXAPP role.

CREATE INDEX &prefix.MEMORY_CHUNK_TEXT_IX ON &prefix.MEMORY_CHUNK (chunk_text)
  INDEXTYPE IS CTXSYS.CONTEXT
  PARAMETERS ('STOPLIST CTXSYS.EMPTY_STOPLIST SYNC (&index_sync.)');
