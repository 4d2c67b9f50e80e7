-- What the functions that stored functions become call: PL/SQL's errors, conversions, and JSON values in memory. Replaced,
-- never dropped: stored functions of an older data directory call them.
CREATE OR REPLACE FUNCTION ora.raise_application_error(number numeric, message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF number IS NULL OR number <> trunc(number) OR number NOT BETWEEN -20999 AND -20000 THEN
    PERFORM ora.raise(21000, 'error number argument to raise_application_error of ' || COALESCE(number::text, 'NULL') || ' is out of range');
  END IF;
  PERFORM ora.raise((- number)::integer, COALESCE(message, ''));
END $$;

-- The number of an error, as SQLCODE gives it without its sign; 3001 for what only the emulator refuses.
CREATE OR REPLACE FUNCTION ora.error_number(state text, message text) RETURNS integer LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE state
    WHEN 'OR001' THEN pg_catalog.substr(message, 5, 5)::integer
    WHEN '22012' THEN 1476 WHEN '22P02' THEN 1722 WHEN '22003' THEN 1426 WHEN '22004' THEN 6502 WHEN '2F005' THEN 6503
    ELSE 3001 END
$$;

CREATE OR REPLACE FUNCTION ora.sql_code(state text, message text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE ora.error_number(state, message) WHEN 1403 THEN 100 ELSE - ora.error_number(state, message) END::numeric
$$;

CREATE OR REPLACE FUNCTION ora.sql_message(state text, message text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE state WHEN 'OR001' THEN message ELSE 'ORA-' || lpad(ora.error_number(state, message)::text, 5, '0') || ': ' || message END
$$;

-- Calls within calls: PGlite does not survive the end of its stack, at some 150 of them.
CREATE OR REPLACE FUNCTION ora.refuse_depth() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(3001, 'unimplemented feature: more than 64 calls of stored functions within each other');
END $$;

-- Asked now and then by a loop: everyone waits for it, so it ends some time.
CREATE OR REPLACE FUNCTION ora.check_time() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF clock_timestamp() > statement_timestamp() + interval '20 seconds' THEN
    PERFORM ora.raise(1013, 'user requested cancel of current operation');
  END IF;
END $$;

-- Values on their way into a variable or out of a function.
CREATE OR REPLACE FUNCTION ora.plsql_text(v text, maximum integer, bytes boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF (CASE WHEN bytes THEN octet_length(v) ELSE char_length(v) END) > maximum THEN
    PERFORM ora.raise(6502, 'PL/SQL: numeric or value error: character string buffer too small');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.plsql_number(v text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF v !~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$' THEN
    PERFORM ora.raise(6502, 'PL/SQL: numeric or value error: character to number conversion error');
  END IF;
  RETURN trim(v)::numeric;
END $$;

CREATE OR REPLACE FUNCTION ora.plsql_precision(v numeric, digits integer, scale integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF abs(round(v, scale)) >= power(10::numeric, digits - scale) THEN
    PERFORM ora.raise(6502, 'PL/SQL: numeric or value error: number precision too large');
  END IF;
  RETURN round(v, scale);
END $$;

CREATE OR REPLACE FUNCTION ora.plsql_integer(v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF abs(round(v)) > 2147483647 THEN
    PERFORM ora.raise(1426, 'numeric overflow');
  END IF;
  RETURN round(v);
END $$;

-- JSON in memory: NULL is no value, 'null' is the value null. A method of no value is an error.
CREATE OR REPLACE FUNCTION ora.json_self(v jsonb) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF v IS NULL THEN
    PERFORM ora.raise(30625, 'method dispatch on NULL SELF argument is disallowed');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.json_size(v jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE jsonb_typeof(ora.json_self(v))
    WHEN 'array' THEN jsonb_array_length(v)
    WHEN 'object' THEN jsonb_array_length(jsonb_path_query_array(v, '$.keyvalue().key'))
    ELSE 1 END;
END $$;

-- Positions count from 0.
CREATE OR REPLACE FUNCTION ora.json_item(v jsonb, place numeric) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN place >= 0 THEN ora.json_self(v) -> trunc(place)::integer END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_string(v jsonb) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN jsonb_typeof(v) = 'string' THEN NULLIF(v #>> '{}', '') END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_numeral(v jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN jsonb_typeof(v) = 'number' THEN v::numeric END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_treat(v jsonb, type text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE WHEN type = CASE jsonb_typeof(v) WHEN 'object' THEN 'JSON_OBJECT_T' WHEN 'array' THEN 'JSON_ARRAY_T' ELSE 'JSON_SCALAR_T' END
                OR type = 'JSON_ELEMENT_T' THEN v END;
END $$;

CREATE OR REPLACE FUNCTION ora.json_create(v jsonb, type text) RETURNS jsonb LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF v IS NOT NULL AND ora.json_treat(v, type) IS NULL THEN
    PERFORM ora.raise(40587, 'invalid JSON type');
  END IF;
  RETURN v;
END $$;

-- Lists of names are JSON arrays; one that was never filled is NULL.
CREATE OR REPLACE FUNCTION ora.list_count(list jsonb) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF list IS NULL THEN
    PERFORM ora.raise(6531, 'Reference to uninitialized collection');
  END IF;
  RETURN jsonb_array_length(list);
END $$;

-- The empty name is NULL, as every empty string.
CREATE OR REPLACE FUNCTION ora.list_item(list jsonb, place numeric) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF round(place) BETWEEN 1 AND jsonb_array_length(list) THEN
    RETURN NULLIF(list ->> (round(place)::integer - 1), '');
  ELSIF place IS NULL THEN
    PERFORM ora.raise(6502, 'PL/SQL: numeric or value error: NULL index table key value');
  ELSIF round(place) > ora.list_count(list) THEN
    PERFORM ora.raise(6533, 'Subscript beyond count');
  END IF;
  PERFORM ora.raise(6532, 'Subscript outside of limit');
END $$;
