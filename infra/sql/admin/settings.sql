-- The names that the other scripts of this folder use. Change them here, or copy the file and give its path to
-- install.sql. Names are not quoted: letters, digits, _, $ and #, a letter first.

-- Schema-only account that owns the tables. Nobody logs in with it.
DEFINE owner = AGENT_MEMORY
-- Account of the service. It owns nothing but synonyms.
DEFINE runtime = AGENT_MEMORY_RUNTIME
-- Schema-only account that decides whose rows a session sees; used only by row_isolation.sql.
DEFINE policy_admin = AGENT_MEMORY_POLICY
-- An existing account that may act as the owner, to create the tables and to load a model: of the administrator.
DEFINE deployer = ADMIN
-- MEMORY_STORE_ID and an underscore ('SHOP_'), or TABLE_NAME_PREFIX as it is, or nothing.
DEFINE prefix = ''
-- SEARCH_STRATEGY: vector, keyword or hybrid.
DEFINE search_strategy = vector
-- EMBEDDER: oracle-database when a model in the database makes the vectors, else anything.
DEFINE embedder = openai-compatible
-- EMBEDDING_MODEL without its owner, for EMBEDDER oracle-database.
DEFINE embedding_model = ALL_MINILM_L12_V2
-- How the service reaches the tables: tables (ORACLE_TRANSPORT thin, or ords with ORDS_MODE rest-sql) or module.
DEFINE runtime_access = tables
DEFINE tablespace = DATA
-- An amount with its unit, or UNLIMITED.
DEFINE quota = 20G
-- Net service name of SQLcl for CONNECT, and the file that holds the output of npm run schema -- plan.
DEFINE connect_string = myadb_low
DEFINE schema_script = schema.sql
