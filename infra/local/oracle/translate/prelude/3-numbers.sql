-- Numbers: 40 digits, no trailing zeros, text like Oracle writes it.
CREATE OR REPLACE FUNCTION ora.number_text(v numeric) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT regexp_replace(trim_scale(v)::text, '^(-?)0\.', '\1.')
$$;

-- `1.5E+000`.
CREATE OR REPLACE FUNCTION ora.double_text(v float8) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  exponent integer;
  digits text;
BEGIN
  IF v IN ('NaN', 'Infinity', '-Infinity') THEN
    RETURN CASE v WHEN 'NaN' THEN 'Nan' WHEN 'Infinity' THEN 'Inf' ELSE '-Inf' END;
  ELSIF v = 0 THEN
    RETURN '0';
  END IF;
  exponent := floor(pg_catalog.log(abs(v)::numeric))::integer;
  digits := trim_scale(v::text::numeric * 10::numeric ^ (- exponent))::text;
  RETURN CASE WHEN digits LIKE '%.%' THEN digits ELSE digits || '.0' END
      || 'E' || CASE WHEN exponent < 0 THEN '-' ELSE '+' END || lpad(abs(exponent)::text, 3, '0');
END $$;

CREATE OR REPLACE FUNCTION ora.to_number(v text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v !~ '^\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*$' THEN
    PERFORM ora.raise(1722, 'unable to convert string value containing ' || quote_literal(left(v, 60)) || ' to a number');
  END IF;
  RETURN trim(v)::numeric;
END $$;

CREATE OR REPLACE FUNCTION ora.to_number_format(v text, format text) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  digits text := CASE WHEN format ~ '[,G]' THEN replace(trim(v), ',', '') ELSE trim(v) END;
BEGIN
  IF digits !~ '^[+-]?(\d+\.?\d*|\.\d+)$' OR char_length(split_part(regexp_replace(digits, '^[+-]', ''), '.', 1)) > char_length(regexp_replace(split_part(translate(format, 'D', '.'), '.', 1), '[^09]', '', 'g'))
     OR char_length(split_part(digits, '.', 2)) > char_length(regexp_replace(split_part(translate(format, 'D', '.'), '.', 2), '[^09]', '', 'g')) THEN
    PERFORM ora.raise(1722, 'unable to convert string value containing ' || quote_literal(left(v, 60)) || ' to a number');
  END IF;
  RETURN digits::numeric;
END $$;

CREATE OR REPLACE FUNCTION ora.hexadecimal(v numeric, format text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  digits text := to_hex(v::bigint);
  width integer := char_length(regexp_replace(format, '^FM', '', 'i'));
BEGIN
  digits := CASE WHEN format ~ 'X$' THEN upper(digits) ELSE digits END;
  IF char_length(digits) > width THEN
    RETURN repeat('#', width + 1);
  END IF;
  digits := CASE WHEN format ~* '^(FM)?0' THEN lpad(digits, width, '0') ELSE digits END;
  RETURN CASE WHEN format ~* '^FM' THEN digits ELSE lpad(digits, width + 1) END;
END $$;

CREATE OR REPLACE FUNCTION ora.divide(a numeric, b numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF b = 0 THEN
    PERFORM ora.raise(1476, 'divisor is equal to zero');
  END IF;
  RETURN trim_scale(round((a + 0e-40) / b, 40));
END $$;

CREATE OR REPLACE FUNCTION ora.divide_double(a float8, b float8) RETURNS float8 LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN b <> 0 THEN a / b WHEN a = 0 OR a = 'NaN' THEN 'NaN'::float8 WHEN a > 0 THEN 'Infinity'::float8 ELSE '-Infinity'::float8 END
$$;

CREATE OR REPLACE FUNCTION ora.mod(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN b = 0 THEN a ELSE pg_catalog.mod(a, b) END
$$;

CREATE OR REPLACE FUNCTION ora.remainder(a numeric, b numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF b = 0 THEN
    PERFORM ora.raise(1428, 'argument ''0'' is out of range');
  END IF;
  RETURN a - b * round(a / b);
END $$;

CREATE OR REPLACE FUNCTION ora.power(a numeric, b numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF a < 0 AND b <> trunc(b) THEN
    PERFORM ora.raise(1428, 'argument ''' || a || ''' is out of range');
  END IF;
  RETURN trim_scale(pg_catalog.power(a, b));
END $$;

CREATE OR REPLACE FUNCTION ora.sqrt(v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v < 0 THEN
    PERFORM ora.raise(1428, 'argument ''' || v || ''' is out of range');
  END IF;
  RETURN trim_scale(pg_catalog.sqrt(v + 0e-38));
END $$;

CREATE OR REPLACE FUNCTION ora.exp(v numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT trim_scale(pg_catalog.exp(v + 0e-38))
$$;

CREATE OR REPLACE FUNCTION ora.ln(v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v <= 0 THEN
    PERFORM ora.raise(1428, 'argument ''' || v || ''' is out of range');
  END IF;
  RETURN trim_scale(pg_catalog.ln(v + 0e-38));
END $$;

CREATE OR REPLACE FUNCTION ora.log(base numeric, v numeric) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v <= 0 OR base <= 0 OR base = 1 THEN
    PERFORM ora.raise(1428, 'argument is out of range');
  END IF;
  RETURN trim_scale(pg_catalog.log(base, v));
END $$;

CREATE OR REPLACE FUNCTION ora.bitand(a numeric, b numeric) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (trunc(a)::bigint & trunc(b)::bigint)::numeric
$$;

-- A number that does not fit its format is written as number signs.
CREATE OR REPLACE FUNCTION ora.format_number(v numeric, format text) RETURNS text LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN to_char(v, format) LIKE '%#%' THEN repeat('#', char_length(to_char(0, replace(format, 'FM', '')))) ELSE to_char(v, format) END
$$;
