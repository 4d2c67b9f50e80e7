-- Application contexts: the session that runs has its values, as JSON by namespace and attribute, in a setting. NULL for
-- what was never set. At most so many bytes are given, as SYS_CONTEXT does.
CREATE OR REPLACE FUNCTION ora.sys_context(namespace text, attribute text, maximum integer) RETURNS text
LANGUAGE plpgsql STABLE AS $$
DECLARE
  value text := NULLIF(current_setting('ora.session_context', true), '')::jsonb -> upper(namespace) ->> upper(attribute);
BEGIN
  WHILE octet_length(value) > maximum LOOP
    value := left(value, -1);
  END LOOP;
  RETURN value;
END
$$;
