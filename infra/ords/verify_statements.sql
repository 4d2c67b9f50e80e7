-- A text that a tool changed on its way would not be what its hash says, and would fail when it is called. Comes before the
-- commit of what npm run schema -- module prints, so nothing is installed then.

DECLARE
  l_changed NUMBER;
BEGIN
  SELECT COUNT(*) INTO l_changed FROM &prefix.MEMORY_STATEMENT s
    WHERE DBMS_LOB.GETLENGTH(s.statement_text) <> s.text_length;
  IF l_changed > 0 THEN
    RAISE_APPLICATION_ERROR(-20500, 'statements were changed on their way into the database: none is installed');
  END IF;
END;
/
