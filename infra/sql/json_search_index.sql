-- Optional JSON search index on metadata, for `npm run schema -- apply --json-index search`. Worth measuring first: metadata
-- filters look at the records that the scope leaves over, so it helps lists over a whole store by a rare key. Like every
-- search index it is written with each commit and takes space. No strategy needs it.
--
-- To run it by hand with SQLcl:
--   DEFINE prefix = ''
--   @json_search_index.sql

CREATE SEARCH INDEX &prefix.MEMORY_RECORD_JSON_IX ON &prefix.MEMORY_RECORD (metadata) FOR JSON
  PARAMETERS ('SYNC (ON COMMIT)');
