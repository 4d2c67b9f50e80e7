-- Lexer of the text index: WORLD_LEXER knows where words end in scripts that write without spaces. Needs the role
-- CTXAPP (or EXECUTE on CTX_DDL). Without it `npm run schema -- apply` builds the index with the default lexer.
--
-- To run it by hand with SQLcl, before text_index.sql:
--   DEFINE prefix = ''

BEGIN
  CTX_DDL.CREATE_PREFERENCE('&prefix.MEMORY_LEXER', 'WORLD_LEXER');
END;
/
