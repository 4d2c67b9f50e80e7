-- Application contexts: the session that runs has its values, as JSON by namespace and attribute, in a setting. NULL for
-- what was never set. At most so many bytes are given, as SYS_CONTEXT does.
CREATE OR REPLACE FUNCTION ora.sys_context(namespace text, attribute text, maximum integer) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT left(v.value, n)
    FROM (SELECT NULLIF(current_setting('ora.session_context', true), '')::jsonb -> upper(namespace)
                   ->> upper(attribute) AS value) AS v,
         generate_series(length(v.value), 0, -1) AS n
   WHERE octet_length(left(v.value, n)) <= maximum
   LIMIT 1
$$;
