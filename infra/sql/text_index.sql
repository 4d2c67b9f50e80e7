-- Oracle Text index on the chunk text, for the search strategies that look for words.
--
-- To run it by hand with SQLcl, after the numbered files:
--   DEFINE prefix = ''
--   DEFINE text_lexer = 'LEXER MEMORY_LEXER '  (the preference of text_lexer.sql, or '' for the default lexer)
--   DEFINE index_sync = 'SYNC (ON COMMIT)'  (or 'MAINTENANCE MANUAL SYNC (MANUAL)': run npm run schema -- sync-index on
--     a schedule; or 'MAINTENANCE AUTO': Oracle does it in the background)
--   @text_index.sql
--
-- Without stop words, because a query of common words alone would find nothing. The default lexer splits text at
-- spaces and punctuation; retrieval text has spaces around Chinese and Japanese characters, so both lexers find them.

CREATE INDEX &prefix.MEMORY_CHUNK_TEXT_IX ON &prefix.MEMORY_CHUNK (chunk_text)
  INDEXTYPE IS CTXSYS.CONTEXT
  PARAMETERS ('&text_lexer.STOPLIST CTXSYS.EMPTY_STOPLIST &index_sync.');
