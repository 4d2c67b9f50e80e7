-- Text: positions count from 1, negative ones from the end; the empty string is NULL.
CREATE OR REPLACE FUNCTION ora.substr(v text, start integer, size integer, limited boolean) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  first integer := CASE WHEN start = 0 THEN 1 WHEN start < 0 THEN char_length(v) + start + 1 ELSE start END;
BEGIN
  IF v IS NULL OR start IS NULL OR first < 1 OR (limited AND (size IS NULL OR size < 1)) THEN
    RETURN NULL;
  END IF;
  RETURN CASE WHEN limited THEN pg_catalog.substr(v, first, size) ELSE pg_catalog.substr(v, first) END;
END $$;

CREATE OR REPLACE FUNCTION ora.instr(v text, search text, start integer, occurrence integer) RETURNS numeric LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  size integer := char_length(v);
  place integer := CASE WHEN start < 0 THEN size + start + 1 ELSE start END;
  step integer := CASE WHEN start < 0 THEN -1 ELSE 1 END;
  found integer := 0;
BEGIN
  IF occurrence < 1 THEN
    PERFORM ora.raise(1428, 'argument ''' || occurrence || ''' is out of range');
  END IF;
  IF start = 0 THEN
    RETURN 0;
  END IF;
  WHILE place BETWEEN 1 AND size LOOP
    IF step = 1 THEN
      IF strpos(pg_catalog.substr(v, place), search) = 0 THEN
        RETURN 0;
      END IF;
      place := place + strpos(pg_catalog.substr(v, place), search) - 1;
    END IF;
    IF pg_catalog.substr(v, place, char_length(search)) = search THEN
      found := found + 1;
      IF found = occurrence THEN
        RETURN place;
      END IF;
    END IF;
    place := place + step;
  END LOOP;
  RETURN 0;
END $$;

CREATE OR REPLACE FUNCTION ora.ascii(v text) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT get_byte(convert_to(left(v, 1), 'UTF8'), 0)::numeric
       * CASE octet_length(left(v, 1)) WHEN 1 THEN 1 ELSE 256 ^ (octet_length(left(v, 1)) - 1) END
       + COALESCE((SELECT sum(get_byte(convert_to(left(v, 1), 'UTF8'), i) * 256::numeric ^ (octet_length(left(v, 1)) - 1 - i))
                     FROM generate_series(1, octet_length(left(v, 1)) - 1) AS i), 0)
$$;

CREATE OR REPLACE FUNCTION ora.trim_set(v text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF char_length(v) > 1 THEN
    PERFORM ora.raise(30001, 'trim set should have only one character');
  END IF;
  RETURN v;
END $$;

CREATE OR REPLACE FUNCTION ora.cut_bytes(v text, maximum integer) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  r text := left(v, maximum);
BEGIN
  WHILE octet_length(r) > maximum LOOP
    r := left(r, -1);
  END LOOP;
  RETURN r;
END $$;

CREATE OR REPLACE FUNCTION ora.like_pattern(pattern text, escape text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  i integer := 1;
BEGIN
  IF escape IS NULL OR char_length(escape) <> 1 THEN
    PERFORM ora.raise(1425, 'escape character must be character string of length 1');
  END IF;
  WHILE i <= char_length(pattern) LOOP
    IF pg_catalog.substr(pattern, i, 1) = escape THEN
      IF pg_catalog.substr(pattern, i + 1, 1) NOT IN ('%', '_', escape) OR i = char_length(pattern) THEN
        PERFORM ora.raise(1424, 'missing or illegal character following the escape character');
      END IF;
      i := i + 1;
    END IF;
    i := i + 1;
  END LOOP;
  RETURN pattern;
END $$;

CREATE OR REPLACE FUNCTION ora.compare(a text, b text) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN a = b THEN 0 WHEN a < b THEN -1 WHEN a > b THEN 1 END::numeric
$$;

CREATE OR REPLACE FUNCTION ora.hex_to_raw(v text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF v !~ '^[0-9A-Fa-f]+$' THEN
    PERFORM ora.raise(1465, 'invalid hex number');
  END IF;
  RETURN decode(lpad(v, char_length(v) + char_length(v) % 2, '0'), 'hex');
END $$;

CREATE OR REPLACE FUNCTION ora.hash(v bytea, algorithm text) RETURNS bytea LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE algorithm
    WHEN 'SHA256' THEN sha256(v) WHEN 'SHA384' THEN sha384(v) WHEN 'SHA512' THEN sha512(v) WHEN 'MD5' THEN decode(md5(v), 'hex')
    ELSE ora.raise(3001, 'unimplemented feature: STANDARD_HASH with SHA1')::bytea END;
END $$;
