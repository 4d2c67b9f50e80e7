-- Times: the session is in UTC.
CREATE OR REPLACE FUNCTION ora.days(v numeric) RETURNS interval LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT make_interval(secs => (v * 86400)::float8)
$$;

CREATE OR REPLACE FUNCTION ora.last_day(v timestamp) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT date_trunc('month', v) + INTERVAL '1 month' - INTERVAL '1 day' + date_trunc('second', v)::time
$$;

CREATE OR REPLACE FUNCTION ora.add_months(v timestamp, months numeric) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT CASE WHEN v::date = ora.last_day(v)::date THEN ora.last_day(date_trunc('month', v) + make_interval(months => trunc(months)::integer) + v::time)
              ELSE date_trunc('second', v) + make_interval(months => trunc(months)::integer) END
$$;

CREATE OR REPLACE FUNCTION ora.months_between(a timestamp, b timestamp) RETURNS numeric LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT (EXTRACT(YEAR FROM a) - EXTRACT(YEAR FROM b)) * 12 + EXTRACT(MONTH FROM a) - EXTRACT(MONTH FROM b)
       + CASE WHEN EXTRACT(DAY FROM a) = EXTRACT(DAY FROM b) OR (a::date = ora.last_day(a)::date AND b::date = ora.last_day(b)::date) THEN 0
              ELSE ora.divide(EXTRACT(EPOCH FROM a - date_trunc('month', a)) - EXTRACT(EPOCH FROM b - date_trunc('month', b)), 86400 * 31) END
$$;

-- Adding months must end on a day that exists.
CREATE OR REPLACE FUNCTION ora.add_interval(v timestamptz, i interval) RETURNS timestamptz LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  months interval := make_interval(months => (EXTRACT(YEAR FROM i) * 12 + EXTRACT(MONTH FROM i))::integer);
  wall timestamp := v AT TIME ZONE 'UTC';
BEGIN
  IF EXTRACT(DAY FROM wall + months) <> EXTRACT(DAY FROM wall) THEN
    PERFORM ora.raise(1839, 'date not valid for month specified');
  END IF;
  RETURN (wall + i) AT TIME ZONE 'UTC';
END $$;

CREATE OR REPLACE FUNCTION ora.add_interval(v timestamp, i interval) RETURNS timestamp LANGUAGE sql IMMUTABLE STRICT AS $$
  SELECT ora.add_interval(v AT TIME ZONE 'UTC', i) AT TIME ZONE 'UTC'
$$;

CREATE OR REPLACE FUNCTION ora.to_ds_interval(v text) RETURNS interval LANGUAGE plpgsql IMMUTABLE STRICT AS $$
DECLARE
  p text[] := regexp_match(trim(v), '^([+-]?)(\d+) (\d{1,2}):(\d{1,2}):(\d{1,2}(?:\.\d+)?)$');
BEGIN
  IF p IS NULL AND trim(v) ~ '^-?P(\d+D)?(T(\d+H)?(\d+M)?(\d+(\.\d+)?S)?)?$' THEN
    RETURN CASE WHEN trim(v) LIKE '-%' THEN - (pg_catalog.substr(trim(v), 2)::interval) ELSE trim(v)::interval END;
  ELSIF p IS NULL OR p[3]::integer > 23 OR p[4]::integer > 59 OR p[5]::numeric >= 60 THEN
    PERFORM ora.raise(1867, 'the interval is invalid');
  END IF;
  RETURN CASE p[1] WHEN '-' THEN -1 ELSE 1 END * make_interval(days => p[2]::integer, hours => p[3]::integer, mins => p[4]::integer, secs => p[5]::float8);
END $$;

CREATE OR REPLACE FUNCTION ora.time_zone(v text) RETURNS text LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM pg_timezone_names AS z WHERE lower(z.name) = lower(v)) THEN
    PERFORM ora.raise(1882, 'timezone region not found');
  END IF;
  RETURN v;
END $$;

-- Reads text by the elements of a datetime format; literals carry a leading "=".
CREATE OR REPLACE FUNCTION ora.parse_time(v text, elements text[]) RETURNS timestamptz LANGUAGE plpgsql STABLE AS $$
DECLARE
  rest text := v;
  e text;
  part text;
  y integer := EXTRACT(YEAR FROM statement_timestamp());
  mo integer := EXTRACT(MONTH FROM statement_timestamp());
  d integer := 1; h integer := 0; mi integer := 0; s integer := 0; f numeric := 0;
  day_of_year integer; half text; zone_sign integer := 1; zone_minutes integer := 0;
  months text[] := ARRAY['JANUARY','FEBRUARY','MARCH','APRIL','MAY','JUNE','JULY','AUGUST','SEPTEMBER','OCTOBER','NOVEMBER','DECEMBER'];
BEGIN
  IF v IS NULL THEN
    RETURN NULL;
  END IF;
  FOREACH e IN ARRAY elements LOOP
    IF left(e, 1) = '=' THEN
      part := pg_catalog.substr(e, 2);
      IF rest = '' AND part <> '' THEN PERFORM ora.raise(1840, 'input value not long enough for date format'); END IF;
      IF NOT starts_with(rest, part) THEN PERFORM ora.raise(1861, 'literal does not match format string'); END IF;
    ELSIF e IN ('MONTH', 'MON') THEN
      part := substring(rest FROM '^[A-Za-z]+');
      mo := (SELECT min(i) FROM generate_subscripts(months, 1) AS i WHERE upper(part) IN (months[i], left(months[i], 3)));
      IF mo IS NULL THEN PERFORM ora.raise(1843, 'An invalid month was specified.'); END IF;
    ELSIF e IN ('DAY', 'DY') THEN
      part := substring(rest FROM '^[A-Za-z]+');
      IF part IS NULL THEN PERFORM ora.raise(1846, 'not a valid day of the week'); END IF;
    ELSIF e IN ('AM', 'PM', 'A.M.', 'P.M.') THEN
      part := substring(rest FROM '^(?:[AaPp]\.[Mm]\.|[AaPp][Mm])');
      IF part IS NULL THEN PERFORM ora.raise(1855, 'AM/A.M. or PM/P.M. required'); END IF;
      half := upper(left(part, 1));
    ELSIF e = 'FF' THEN
      part := substring(rest FROM '^\d{1,9}');
      IF part IS NULL THEN PERFORM ora.raise(CASE WHEN rest = '' THEN 1840 ELSE 1858 END, CASE WHEN rest = '' THEN 'input value not long enough for date format' ELSE 'a non-numeric character was found where a numeric was expected' END); END IF;
      f := ('0.' || part)::numeric;
    ELSIF e = 'TZH' THEN
      part := substring(rest FROM '^[+-]?\d{1,2}');
      IF part IS NULL THEN PERFORM ora.raise(CASE WHEN rest = '' THEN 1840 ELSE 1858 END, CASE WHEN rest = '' THEN 'input value not long enough for date format' ELSE 'a non-numeric character was found where a numeric was expected' END); END IF;
      IF abs(part::integer) > 15 THEN PERFORM ora.raise(1874, 'time zone hour must be between -15 and 15'); END IF;
      zone_sign := CASE WHEN part LIKE '-%' THEN -1 ELSE 1 END;
      zone_minutes := zone_minutes + abs(part::integer) * 60;
    ELSE
      part := substring(rest FROM CASE WHEN e IN ('YYYY', 'SYYYY', 'RRRR') THEN '^\d{1,4}' WHEN e IN ('DDD', 'YYY') THEN '^\d{1,3}' WHEN e = 'SSSSS' THEN '^\d{1,5}' WHEN e = 'Y' THEN '^\d' ELSE '^\d{1,2}' END);
      IF part IS NULL THEN
        PERFORM ora.raise(CASE WHEN rest = '' THEN 1840 ELSE 1858 END, CASE WHEN rest = '' THEN 'input value not long enough for date format' ELSE 'a non-numeric character was found where a numeric was expected' END);
      END IF;
      CASE e
        WHEN 'YYYY', 'SYYYY' THEN y := part::integer;
        WHEN 'RRRR' THEN y := CASE WHEN char_length(part) > 2 THEN part::integer WHEN part::integer < 50 THEN 2000 + part::integer ELSE 1900 + part::integer END;
        WHEN 'RR' THEN y := CASE WHEN part::integer < 50 THEN 2000 ELSE 1900 END + part::integer;
        WHEN 'YY', 'YYY', 'Y' THEN y := (y / 10 ^ char_length(e))::integer * (10 ^ char_length(e))::integer + part::integer;
        WHEN 'MM' THEN mo := part::integer;
        WHEN 'DD' THEN d := part::integer;
        WHEN 'DDD' THEN day_of_year := part::integer;
        WHEN 'HH24' THEN h := part::integer;
        WHEN 'HH', 'HH12' THEN h := part::integer;
          IF h NOT BETWEEN 1 AND 12 THEN PERFORM ora.raise(1849, 'hour must be between 1 and 12'); END IF;
          half := COALESCE(half, 'A');
        WHEN 'MI' THEN mi := part::integer;
        WHEN 'SS' THEN s := part::integer;
        WHEN 'SSSSS' THEN h := part::integer / 3600; mi := part::integer % 3600 / 60; s := part::integer % 60;
        WHEN 'TZM' THEN zone_minutes := zone_minutes + part::integer;
      END CASE;
    END IF;
    rest := pg_catalog.substr(rest, char_length(part) + 1);
  END LOOP;
  IF rest <> '' THEN PERFORM ora.raise(1830, 'date format picture ends before converting entire input string'); END IF;
  IF half IS NOT NULL THEN h := h % 12 + CASE half WHEN 'P' THEN 12 ELSE 0 END; END IF;
  IF mo NOT BETWEEN 1 AND 12 THEN PERFORM ora.raise(1843, 'An invalid month was specified.'); END IF;
  IF y NOT BETWEEN 1 AND 9999 THEN PERFORM ora.raise(1841, '(full) year must be between -4713 and +9999, and not be 0'); END IF;
  IF d NOT BETWEEN 1 AND 31 THEN PERFORM ora.raise(1847, 'day of month must be between 1 and last day of month'); END IF;
  IF d > EXTRACT(DAY FROM ora.last_day(make_timestamp(y, mo, 1, 0, 0, 0))) THEN PERFORM ora.raise(1839, 'date not valid for month specified'); END IF;
  IF h > 23 THEN PERFORM ora.raise(1850, 'hour must be between 0 and 23'); END IF;
  IF mi > 59 THEN PERFORM ora.raise(1851, 'minutes must be between 0 and 59'); END IF;
  IF s > 59 THEN PERFORM ora.raise(1852, 'seconds must be between 0 and 59'); END IF;
  RETURN (make_timestamp(y, CASE WHEN day_of_year IS NULL THEN mo ELSE 1 END, CASE WHEN day_of_year IS NULL THEN d ELSE 1 END, h, mi, 0)
          + make_interval(days => COALESCE(day_of_year - 1, 0)) + (s + round(f, 6)) * INTERVAL '1 second'
          - make_interval(mins => zone_sign * zone_minutes)) AT TIME ZONE 'UTC';
END $$;
