-- JSON: text that is not JSON is ORA-40441; scalars and fragments become SQL values by Oracle's rules.
-- PostgreSQL's JSON reader recurses, and PGlite does not survive the end of the stack (some 10,000 levels). Brackets
-- that close at once are taken out level by level, which leaves nothing of a document that is not deep.
CREATE OR REPLACE FUNCTION ora.json_nesting(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  brackets text;
BEGIN
  IF octet_length(v) - octet_length(translate(v, '[{', '')) <= 4000 THEN
    RETURN v;
  END IF;
  brackets := regexp_replace(regexp_replace(v, '"(?:[^"\\]|\\.)*"', '', 'g'), '[^][{}]+', '', 'g');
  FOR level IN 1..64 LOOP
    EXIT WHEN octet_length(brackets) <= 4000;
    brackets := replace(replace(brackets, '[]', ''), '{}', '');
  END LOOP;
  IF octet_length(brackets) > 4000 THEN
    PERFORM ora.raise(3001, 'unimplemented feature: the JSON is nested too deeply for the emulator');
  END IF;
  RETURN v;
END $$;

-- A block that handles errors takes three times as long, so texts without what may still fail do without it.
CREATE OR REPLACE FUNCTION ora.json(v text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF octet_length(v) <= 4000 AND v IS JSON AND v !~ '\\u0000|\d[eE]' THEN
    RETURN v::jsonb;
  END IF;
  BEGIN
    RETURN ora.json_nesting(v)::jsonb;
  EXCEPTION WHEN data_exception OR untranslatable_character THEN
    PERFORM ora.raise(40441, 'JSON syntax error');
  END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_or_null(v text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  RETURN CASE WHEN ora.json_nesting(v) IS JSON THEN v::jsonb END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_checked(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF ora.json_nesting(v) IS NOT JSON THEN
    PERFORM ora.raise(40441, 'JSON syntax error');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.json_format(v text) RETURNS json LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT ora.json_checked(v)::json
$$;

-- Without the spaces that PostgreSQL writes between tokens.
CREATE OR REPLACE FUNCTION ora.json_compact(v text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT regexp_replace(v, '("(?:[^"\\]|\\.)*")|\s+', '\1', 'g')
$$;

CREATE OR REPLACE FUNCTION ora.limit_json(v text, maximum integer, bytes boolean, strict boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF (CASE WHEN bytes THEN octet_length(v) ELSE char_length(v) END) > maximum THEN
    IF strict THEN
      PERFORM ora.raise(40478, 'output value too large (maximum: ' || maximum || ')');
    END IF;
    RETURN NULL;
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.json_clob(v jsonb, strict boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF jsonb_typeof(v) IN ('object', 'array') THEN
    IF strict THEN
      PERFORM ora.raise(40456, 'JSON_VALUE evaluated to non-scalar value');
    END IF;
    RETURN NULL;
  END IF;
  RETURN NULLIF(v #>> '{}', '');
END $$;

CREATE OR REPLACE FUNCTION ora.json_varchar2(v jsonb, maximum integer, bytes boolean, strict boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN ora.limit_json(ora.json_clob(v, strict), maximum, bytes, strict);
END $$;

CREATE OR REPLACE FUNCTION ora.json_number(v jsonb, strict boolean) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  t text := ora.json_clob(v, strict);
BEGIN
  IF t !~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$' THEN
    IF strict THEN
      RETURN ora.to_number(t);
    END IF;
    RETURN NULL;
  END IF;
  RETURN trim(t)::numeric;
END $$;

CREATE OR REPLACE FUNCTION ora.json_boolean(v jsonb, strict boolean) RETURNS boolean LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF v IS NULL OR v = 'null'::jsonb THEN
    RETURN NULL;
  END IF;
  IF v #>> '{}' NOT IN ('true', 'false') THEN
    IF strict THEN
      PERFORM ora.raise(40799, 'cannot convert JSON value to BOOLEAN');
    END IF;
    RETURN NULL;
  END IF;
  RETURN (v #>> '{}')::boolean;
END $$;

CREATE OR REPLACE FUNCTION ora.json_time(v jsonb, strict boolean) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  t text := ora.json_clob(v, strict);
BEGIN
  IF t !~ '^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})?)?$' THEN
    IF strict THEN
      PERFORM ora.raise(1861, 'literal does not match format string');
    END IF;
    RETURN NULL;
  END IF;
  RETURN t::timestamptz;
END $$;

CREATE OR REPLACE FUNCTION ora.json_merge_patch(target jsonb, patch jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  result jsonb := CASE WHEN jsonb_typeof(target) = 'object' THEN target ELSE '{}' END;
  k text;
  v jsonb;
BEGIN
  IF patch IS NULL OR target IS NULL THEN
    RETURN NULL;
  END IF;
  IF jsonb_typeof(patch) <> 'object' THEN
    RETURN patch;
  END IF;
  FOR k, v IN SELECT * FROM jsonb_each(patch) LOOP
    IF v = 'null'::jsonb THEN
      result := result - k;
    ELSE
      result := jsonb_set(result, ARRAY[k], ora.json_merge_patch(COALESCE(result -> k, 'null'::jsonb), v), true);
    END IF;
  END LOOP;
  RETURN result;
END $$;

CREATE OR REPLACE FUNCTION ora.json_change(operation text, doc jsonb, path text[], v jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  present jsonb := doc #> path;
  parent jsonb := doc #> path[1:cardinality(path) - 1];
BEGIN
  IF operation = 'APPEND' THEN
    IF present IS NULL THEN
      RETURN jsonb_set(doc, path, jsonb_build_array(v), true);
    END IF;
    IF jsonb_typeof(present) <> 'array' THEN
      PERFORM ora.raise(40768, 'append target is not an array');
    END IF;
    RETURN jsonb_set(doc, path, present || jsonb_build_array(v));
  END IF;
  IF operation = 'INSERT' AND present IS NOT NULL AND jsonb_typeof(parent) = 'object' THEN
    PERFORM ora.raise(40763, 'existing value found for INSERT in JSON_TRANSFORM');
  END IF;
  IF operation = 'INSERT' AND jsonb_typeof(parent) = 'array' THEN
    RETURN jsonb_insert(doc, path, v);
  END IF;
  RETURN jsonb_set(doc, path, v, operation <> 'REPLACE');
END $$;

CREATE OR REPLACE FUNCTION ora.json_rename(doc jsonb, path text[], name text) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN doc #> path IS NULL THEN doc
              ELSE jsonb_set(doc #- path, path[1:cardinality(path) - 1] || name, doc #> path, true) END
$$;
