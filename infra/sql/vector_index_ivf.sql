-- Optional vector index on disk (IVF). Build it when there are rows: its partitions are learned once, from what is
-- there, so after large growth drop it and build it again.
--
-- To run it by hand with SQLcl:
--   DEFINE prefix = ''
--   @vector_index_ivf.sql

CREATE VECTOR INDEX &prefix.MEMORY_CHUNK_VECTOR_IX ON &prefix.MEMORY_CHUNK (embedding)
  ORGANIZATION NEIGHBOR PARTITIONS
  DISTANCE COSINE
  WITH TARGET ACCURACY 90;
