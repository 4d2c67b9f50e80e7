-- Optional vector index in memory (HNSW). It must fit into the vector pool: about 1.3 × 4 bytes × width × rows
-- (VECTOR_MEMORY_SIZE). `npm run schema -- apply --vector-index hnsw` runs it and falls back to the next file when
-- the pool is too small (ORA-51962).
--
-- To run it by hand with SQLcl:
--   DEFINE prefix = ''
--   @vector_index_hnsw.sql

CREATE VECTOR INDEX &prefix.MEMORY_CHUNK_VECTOR_IX ON &prefix.MEMORY_CHUNK (embedding)
  ORGANIZATION INMEMORY NEIGHBOR GRAPH
  DISTANCE COSINE
  WITH TARGET ACCURACY 95
  PARAMETERS (TYPE HNSW, NEIGHBORS 32, EFCONSTRUCTION 300);
