-- Optional JSON search index on metadata, by hand and only after measuring: metadata filters look at the records that
-- the scope leaves over, so it helps lists over a whole store by a rare key. Like every search index it is written with
-- each commit and takes space. No command creates it and no version needs it.
--
--   DEFINE prefix = ''
--   @json_search_index.sql

CREATE SEARCH INDEX &prefix.MEMORY_RECORD_JSON_IX ON &prefix.MEMORY_RECORD (metadata) FOR JSON
  PARAMETERS ('SYNC (ON COMMIT)');
