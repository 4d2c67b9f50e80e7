-- When text indexes take in what was written. Beside the words of a row stands the transaction that last wrote its text:
-- an index that syncs on commit knows the row when that transaction has ended, others when the index was synchronized
-- after it. NULL: the row was there when the index was built.
CREATE TABLE IF NOT EXISTS ora.text_index_sync (index_name text PRIMARY KEY, synced_before xid8 NOT NULL);

-- Everything that was written before this transaction is synchronized.
CREATE OR REPLACE FUNCTION ora.ctx_sync(name text) RETURNS void LANGUAGE sql AS $$
  INSERT INTO ora.text_index_sync VALUES (name, pg_current_xact_id())
    ON CONFLICT (index_name) DO UPDATE SET synced_before = EXCLUDED.synced_before
$$;

CREATE OR REPLACE FUNCTION ora.ctx_synced_before(name text) RETURNS xid8 LANGUAGE sql STABLE AS $$
  SELECT COALESCE((SELECT s.synced_before FROM ora.text_index_sync AS s WHERE s.index_name = name), '0'::xid8)
$$;

-- Text indexes of directories that were made before rows had the column.
DO $$
DECLARE
  hidden record;
  since text;
BEGIN
  FOR hidden IN
    SELECT a.attrelid, c.relname, a.attname FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attname LIKE '%$ctx' AND NOT a.attisdropped
  LOOP
    since := regexp_replace(hidden.attname, '\$ctx$', '$since');
    IF NOT EXISTS (SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = hidden.attrelid AND a.attname = since) THEN
      EXECUTE format('ALTER TABLE public.%I ADD COLUMN %I xid8', hidden.relname, since);
      EXECUTE format('ALTER TABLE public.%I ALTER COLUMN %I SET DEFAULT pg_current_xact_id()', hidden.relname, since);
    END IF;
  END LOOP;
END $$;
