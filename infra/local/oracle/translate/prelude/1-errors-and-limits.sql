-- Errors of Oracle raised at run time: SQLSTATE OR001, the message starts with the ORA number.
CREATE SCHEMA IF NOT EXISTS ora;

CREATE OR REPLACE FUNCTION ora.raise(number integer, message text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION USING ERRCODE = 'OR001', MESSAGE = 'ORA-' || lpad(number::text, 5, '0') || ': ' || message;
END $$;

-- Values on their way into a column.
CREATE OR REPLACE FUNCTION ora.fit_chars(v text, maximum integer, label text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF char_length(v) > maximum THEN
    PERFORM ora.raise(12899, 'value too large for column ' || label || ' (actual: ' || char_length(v) || ', maximum: ' || maximum || ')');
  ELSIF octet_length(v) > 4000 THEN
    PERFORM ora.raise(1461, 'can bind a LONG value only for insert into a LONG column');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.fit_bytes(v text, maximum integer, label text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(v) > maximum THEN
    PERFORM ora.raise(12899, 'value too large for column ' || label || ' (actual: ' || octet_length(v) || ', maximum: ' || maximum || ')');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.fit_raw(v bytea, maximum integer, label text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(v) > maximum THEN
    PERFORM ora.raise(12899, 'value too large for column ' || label || ' (actual: ' || octet_length(v) || ', maximum: ' || maximum || ')');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.fit_magnitude(v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF abs(v) >= 1e126 THEN
    PERFORM ora.raise(1426, 'numeric overflow');
  END IF;
  RETURN CASE WHEN abs(v) < 1e-130 THEN 0 ELSE v END;
END $$;

CREATE OR REPLACE FUNCTION ora.fit_number(v numeric, digits integer, scale integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  r numeric := round(v, scale);
BEGIN
  IF abs(r) >= power(10::numeric, digits - scale) THEN
    PERFORM ora.raise(1438, 'value larger than specified precision allowed for this column');
  END IF;
  RETURN r;
END $$;

CREATE OR REPLACE FUNCTION ora.limit_text(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF octet_length(v) > 4000 THEN
    PERFORM ora.raise(1489, 'result of string concatenation is too long');
  END IF;
  RETURN NULLIF(v, '');
END $$;
