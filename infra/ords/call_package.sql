-- Runs installed statements for the ORDS module and writes the answer of the request. With the rights of its owner, so
-- that who may call it needs no privilege on a table. Part of what npm run schema -- module prints; can be run again.
--
-- Request and answers are those of lib/sql/ords/module-wire.ts. Answers are ASCII: a CLOB is cut by UTF-16 units, and a
-- cut between two of them would spoil a character.

CREATE OR REPLACE PACKAGE &prefix.MEMORY_CALL
AUTHID DEFINER
IS
  PROCEDURE run(p_name IN VARCHAR2, p_hash IN VARCHAR2, p_body IN CLOB, p_status OUT NUMBER);
END;
/

CREATE OR REPLACE PACKAGE BODY &prefix.MEMORY_CALL
IS
  c_maximum_rows CONSTANT PLS_INTEGER := 10000;
  c_not_installed CONSTANT PLS_INTEGER := -20501;
  c_bad_call CONSTANT PLS_INTEGER := -20502;
  c_column_type CONSTANT PLS_INTEGER := -20503;
  c_not_isolated CONSTANT PLS_INTEGER := -20504;
  -- Codes of DBMS_SQL.DESCRIBE_COLUMNS3.
  c_varchar2 CONSTANT PLS_INTEGER := 1;
  c_number CONSTANT PLS_INTEGER := 2;
  c_char CONSTANT PLS_INTEGER := 96;
  c_binary_float CONSTANT PLS_INTEGER := 100;
  c_binary_double CONSTANT PLS_INTEGER := 101;
  c_clob CONSTANT PLS_INTEGER := 112;
  -- Six ASCII characters for each byte, or for each UTF-16 unit of a CLOB, fit a VARCHAR2.
  c_short_text CONSTANT PLS_INTEGER := 5000;
  c_printed_at_once CONSTANT PLS_INTEGER := 8000;

  -- Nothing in the answer may depend on where the session comes from.
  PROCEDURE set_session
  IS
  BEGIN
    EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_NUMERIC_CHARACTERS = ''.,''';
    EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_SORT = BINARY';
    EXECUTE IMMEDIATE 'ALTER SESSION SET NLS_COMP = BINARY';
    EXECUTE IMMEDIATE 'ALTER SESSION SET TIME_ZONE = ''+00:00''';
  END;

  -- Whose rows the statement may touch (CallOptions.rowAccess). Without row isolation a restricted call is refused.
  PROCEDURE restrict_rows(p_request IN JSON_OBJECT_T)
  IS
  BEGIN
    &restrict_rows.
  END;

  PROCEDURE release_rows
  IS
  BEGIN
    &release_rows.
  END;

  PROCEDURE append(p_answer IN OUT NOCOPY CLOB, p_piece IN VARCHAR2)
  IS
  BEGIN
    DBMS_LOB.WRITEAPPEND(p_answer, LENGTH(p_piece), p_piece);
  END;

  -- A short text as a JSON string. ASCIISTR writes \XXXX for what is not ASCII, and for the backslash.
  FUNCTION quoted(p_text IN VARCHAR2) RETURN VARCHAR2
  IS
    l_text VARCHAR2(32767 BYTE) := REPLACE(REPLACE(ASCIISTR(p_text), '\', '\u'), '"', '\u0022');
  BEGIN
    IF REGEXP_LIKE(l_text, '[[:cntrl:]]') THEN
      FOR i IN 0 .. 31 LOOP
        l_text := REPLACE(l_text, CHR(i), '\u00' || TO_CHAR(i, 'FM0X'));
      END LOOP;
    END IF;
    RETURN '"' || l_text || '"';
  END;

  PROCEDURE append_text(p_answer IN OUT NOCOPY CLOB, p_text IN CLOB)
  IS
    l_json CLOB;
  BEGIN
    IF p_text IS NULL OR DBMS_LOB.GETLENGTH(p_text) = 0 THEN
      append(p_answer, 'null');
    ELSIF DBMS_LOB.GETLENGTH(p_text) <= c_short_text THEN
      append(p_answer, quoted(DBMS_LOB.SUBSTR(p_text, c_short_text, 1)));
    ELSE
      SELECT JSON_SERIALIZE(JSON_ARRAY(p_text RETURNING CLOB) RETURNING CLOB ASCII ERROR ON ERROR) INTO l_json FROM dual;
      DBMS_LOB.COPY(p_answer, l_json, DBMS_LOB.GETLENGTH(l_json) - 2, DBMS_LOB.GETLENGTH(p_answer) + 1, 2);
    END IF;
  END;

  -- Without a temporary CLOB for each value of an answer. Bytes, because a character beyond the BMP becomes twelve.
  PROCEDURE append_short_text(p_answer IN OUT NOCOPY CLOB, p_text IN VARCHAR2)
  IS
  BEGIN
    IF p_text IS NULL THEN
      append(p_answer, 'null');
    ELSIF LENGTHB(p_text) <= c_short_text THEN
      append(p_answer, quoted(p_text));
    ELSE
      append_text(p_answer, TO_CLOB(p_text));
    END IF;
  END;

  -- JSON has a digit before the decimal point; TO_CHAR has none below 1.
  FUNCTION number_text(p_number IN NUMBER) RETURN VARCHAR2
  IS
  BEGIN
    RETURN NVL(REGEXP_REPLACE(TO_CHAR(p_number, 'TM9'), '^(-?)\.', '\10.'), 'null');
  END;

  -- The seventeen digits of TO_CHAR make the same double again.
  FUNCTION double_text(p_double IN BINARY_DOUBLE) RETURN VARCHAR2
  IS
  BEGIN
    IF p_double IS NULL THEN
      RETURN 'null';
    ELSIF p_double IS NAN OR p_double IS INFINITE THEN
      RETURN quoted(TO_CHAR(p_double));
    END IF;
    RETURN TO_CHAR(p_double);
  END;

  -- JSON_OBJECT_T gives NULL for a value that has no room in a variable; what was sent must not be lost.
  PROCEDURE bind_value(
    p_cursor IN INTEGER,
    p_name IN VARCHAR2,
    p_type IN VARCHAR2,
    p_values IN JSON_OBJECT_T
  )
  IS
    l_element JSON_ELEMENT_T := p_values.get(p_name);
    l_is_lost BOOLEAN := FALSE;
    l_number NUMBER;
    l_text VARCHAR2(32767 BYTE);
    l_clob CLOB;
  BEGIN
    IF NOT p_values.has(p_name) THEN
      RAISE_APPLICATION_ERROR(c_bad_call, 'bind ' || p_name || ' has no value');
    END IF;
    IF l_element IS NOT NULL AND NOT l_element.is_null() THEN
      IF p_type = 'number' AND l_element.is_number() THEN
        l_number := p_values.get_number(p_name);
        l_is_lost := l_number IS NULL;
      ELSIF p_type = 'text' AND l_element.is_string() THEN
        l_text := p_values.get_string(p_name);
        l_is_lost := l_text IS NULL AND DBMS_LOB.GETLENGTH(p_values.get_clob(p_name)) > 0;
      ELSIF p_type = 'clob' AND l_element.is_string() THEN
        l_clob := p_values.get_clob(p_name);
        l_is_lost := l_clob IS NULL;
      ELSE
        RAISE_APPLICATION_ERROR(c_bad_call, 'bind ' || p_name || ' is not of type ' || p_type);
      END IF;
    END IF;
    IF l_is_lost THEN
      RAISE_APPLICATION_ERROR(c_bad_call, 'bind ' || p_name || ' does not fit its type ' || p_type);
    END IF;
    IF DBMS_LOB.GETLENGTH(l_clob) = 0 THEN
      l_clob := NULL;
    END IF;
    IF p_type = 'number' THEN
      DBMS_SQL.BIND_VARIABLE(p_cursor, p_name, l_number);
    ELSIF p_type = 'text' THEN
      DBMS_SQL.BIND_VARIABLE(p_cursor, p_name, l_text);
    ELSE
      DBMS_SQL.BIND_VARIABLE(p_cursor, p_name, l_clob);
    END IF;
  END;

  -- Exactly the binds that the statement declares.
  PROCEDURE bind_values(p_cursor IN INTEGER, p_types IN JSON_OBJECT_T, p_values IN JSON_OBJECT_T)
  IS
    l_names JSON_KEY_LIST;
  BEGIN
    IF p_values IS NULL OR p_values.get_size() <> p_types.get_size() THEN
      RAISE_APPLICATION_ERROR(c_bad_call, 'the binds are not those of the statement');
    END IF;
    IF p_types.get_size() > 0 THEN
      l_names := p_types.get_keys();
      FOR i IN 1 .. l_names.COUNT LOOP
        bind_value(p_cursor, l_names(i), p_types.get_string(l_names(i)), p_values);
      END LOOP;
    END IF;
  END;

  PROCEDURE define_columns(p_cursor IN INTEGER, p_columns IN DBMS_SQL.DESC_TAB3)
  IS
    l_number NUMBER;
    l_double BINARY_DOUBLE;
    l_text VARCHAR2(32767 BYTE);
    l_clob CLOB;
  BEGIN
    FOR i IN 1 .. p_columns.COUNT LOOP
      CASE p_columns(i).col_type
        WHEN c_varchar2 THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_text, 32767);
        WHEN c_char THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_text, 32767);
        WHEN c_clob THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_clob);
        WHEN c_number THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_number);
        WHEN c_binary_float THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_double);
        WHEN c_binary_double THEN DBMS_SQL.DEFINE_COLUMN(p_cursor, i, l_double);
        ELSE RAISE_APPLICATION_ERROR(
          c_column_type, 'column ' || p_columns(i).col_name || ' is neither text nor a number');
      END CASE;
    END LOOP;
  END;

  PROCEDURE append_column(
    p_answer IN OUT NOCOPY CLOB,
    p_cursor IN INTEGER,
    p_position IN PLS_INTEGER,
    p_type IN PLS_INTEGER
  )
  IS
    l_number NUMBER;
    l_double BINARY_DOUBLE;
    l_text VARCHAR2(32767 BYTE);
    l_clob CLOB;
  BEGIN
    IF p_type IN (c_varchar2, c_char) THEN
      DBMS_SQL.COLUMN_VALUE(p_cursor, p_position, l_text);
      append_short_text(p_answer, l_text);
    ELSIF p_type = c_clob THEN
      DBMS_SQL.COLUMN_VALUE(p_cursor, p_position, l_clob);
      append_text(p_answer, l_clob);
    ELSIF p_type = c_number THEN
      DBMS_SQL.COLUMN_VALUE(p_cursor, p_position, l_number);
      append(p_answer, number_text(l_number));
    ELSE
      DBMS_SQL.COLUMN_VALUE(p_cursor, p_position, l_double);
      append(p_answer, double_text(l_double));
    END IF;
  END;

  -- {"columns":["id"],"rows":[["a"]],"more":false}
  PROCEDURE answer_query(p_answer IN OUT NOCOPY CLOB, p_cursor IN INTEGER, p_limit IN PLS_INTEGER)
  IS
    l_columns DBMS_SQL.DESC_TAB3;
    l_column_total INTEGER;
    l_ignored INTEGER;
    l_rows PLS_INTEGER := 0;
    l_more VARCHAR2(5 CHAR) := 'false';
  BEGIN
    DBMS_SQL.DESCRIBE_COLUMNS3(p_cursor, l_column_total, l_columns);
    define_columns(p_cursor, l_columns);
    append(p_answer, '{"columns":[');
    FOR i IN 1 .. l_column_total LOOP
      append(p_answer, CASE WHEN i > 1 THEN ',' END || quoted(LOWER(l_columns(i).col_name)));
    END LOOP;
    append(p_answer, '],"rows":[');
    l_ignored := DBMS_SQL.EXECUTE(p_cursor);
    WHILE DBMS_SQL.FETCH_ROWS(p_cursor) > 0 LOOP
      IF l_rows >= p_limit THEN
        l_more := 'true';
        EXIT;
      END IF;
      append(p_answer, CASE WHEN l_rows > 0 THEN ',' END || '[');
      FOR i IN 1 .. l_column_total LOOP
        IF i > 1 THEN
          append(p_answer, ',');
        END IF;
        append_column(p_answer, p_cursor, i, l_columns(i).col_type);
      END LOOP;
      append(p_answer, ']');
      l_rows := l_rows + 1;
    END LOOP;
    append(p_answer, '],"more":' || l_more || '}');
  END;

  -- {"outs":{"rows_1":1}}
  PROCEDURE answer_block(p_answer IN OUT NOCOPY CLOB, p_cursor IN INTEGER, p_outs IN JSON_ARRAY_T)
  IS
    l_number NUMBER;
    l_ignored INTEGER;
  BEGIN
    FOR i IN 0 .. p_outs.get_size() - 1 LOOP
      DBMS_SQL.BIND_VARIABLE(p_cursor, p_outs.get_string(i), l_number);
    END LOOP;
    l_ignored := DBMS_SQL.EXECUTE(p_cursor);
    append(p_answer, '{"outs":{');
    FOR i IN 0 .. p_outs.get_size() - 1 LOOP
      DBMS_SQL.VARIABLE_VALUE(p_cursor, p_outs.get_string(i), l_number);
      append(p_answer, CASE WHEN i > 0 THEN ',' END || quoted(p_outs.get_string(i)) || ':' || number_text(l_number));
    END LOOP;
    append(p_answer, '}}');
  END;

  -- The cause stays in the text of the error: it may be a lack of memory.
  FUNCTION request_of(p_body IN CLOB) RETURN JSON_OBJECT_T
  IS
    l_request JSON_OBJECT_T;
  BEGIN
    l_request := JSON_OBJECT_T.parse(p_body);
    IF l_request IS NULL THEN
      RAISE VALUE_ERROR;
    END IF;
    RETURN l_request;
  EXCEPTION
    WHEN OTHERS THEN
      RAISE_APPLICATION_ERROR(c_bad_call, 'the body is not a JSON object', TRUE);
  END;

  FUNCTION row_limit(p_request IN JSON_OBJECT_T) RETURN PLS_INTEGER
  IS
    l_limit NUMBER := p_request.get_number('limit');
  BEGIN
    IF NOT p_request.has('limit') THEN
      RETURN c_maximum_rows;
    ELSIF l_limit IS NULL OR l_limit < 1 THEN
      RAISE_APPLICATION_ERROR(c_bad_call, 'the limit is no number of rows');
    END IF;
    RETURN LEAST(l_limit, c_maximum_rows);
  END;

  FUNCTION installed(p_name IN VARCHAR2, p_hash IN VARCHAR2) RETURN &prefix.MEMORY_STATEMENT%ROWTYPE
  IS
    l_statement &prefix.MEMORY_STATEMENT%ROWTYPE;
  BEGIN
    SELECT s.* INTO l_statement FROM &prefix.MEMORY_STATEMENT s
      WHERE s.statement_name = p_name AND s.statement_hash = p_hash;
    RETURN l_statement;
  EXCEPTION
    WHEN NO_DATA_FOUND THEN
      RAISE_APPLICATION_ERROR(c_not_installed, 'the statement is not installed');
  END;

  PROCEDURE run_statement(
    p_answer IN OUT NOCOPY CLOB,
    p_statement IN &prefix.MEMORY_STATEMENT%ROWTYPE,
    p_request IN JSON_OBJECT_T
  )
  IS
    l_cursor INTEGER := DBMS_SQL.OPEN_CURSOR;
  BEGIN
    DBMS_SQL.PARSE(l_cursor, p_statement.statement_text, DBMS_SQL.NATIVE);
    bind_values(l_cursor, JSON_OBJECT_T.parse(p_statement.bind_types), p_request.get_object('binds'));
    IF p_statement.statement_kind = 'query' THEN
      answer_query(p_answer, l_cursor, row_limit(p_request));
    ELSE
      answer_block(p_answer, l_cursor, JSON_ARRAY_T.parse(p_statement.out_names));
    END IF;
    DBMS_SQL.CLOSE_CURSOR(l_cursor);
  EXCEPTION
    WHEN OTHERS THEN
      IF DBMS_SQL.IS_OPEN(l_cursor) THEN
        DBMS_SQL.CLOSE_CURSOR(l_cursor);
      END IF;
      RAISE;
  END;

  FUNCTION status_of(p_code IN PLS_INTEGER) RETURN PLS_INTEGER
  IS
  BEGIN
    RETURN CASE p_code
      WHEN c_bad_call THEN 400
      WHEN c_not_installed THEN 404
      WHEN -20404 THEN 404
      WHEN -20409 THEN 409
      WHEN -1 THEN 409
      ELSE 500
    END;
  END;

  PROCEDURE print(p_answer IN CLOB)
  IS
    l_position PLS_INTEGER := 1;
  BEGIN
    OWA_UTIL.MIME_HEADER('application/json', TRUE, 'utf-8');
    WHILE l_position <= DBMS_LOB.GETLENGTH(p_answer) LOOP
      HTP.PRN(DBMS_LOB.SUBSTR(p_answer, c_printed_at_once, l_position));
      l_position := l_position + c_printed_at_once;
    END LOOP;
  END;

  -- The answer is written after the commit: one that breaks off must not undo or hide what was done.
  PROCEDURE run(p_name IN VARCHAR2, p_hash IN VARCHAR2, p_body IN CLOB, p_status OUT NUMBER)
  IS
    l_answer CLOB;
    l_request JSON_OBJECT_T;
    l_code PLS_INTEGER;
  BEGIN
    DBMS_LOB.CREATETEMPORARY(l_answer, TRUE, DBMS_LOB.CALL);
    BEGIN
      set_session;
      l_request := request_of(p_body);
      restrict_rows(l_request);
      run_statement(l_answer, installed(p_name, p_hash), l_request);
      COMMIT;
      p_status := 200;
    EXCEPTION
      WHEN OTHERS THEN
        -- The one number that PL/SQL has another code for (NO_DATA_FOUND).
        l_code := CASE SQLCODE WHEN 100 THEN -1403 ELSE SQLCODE END;
        p_status := status_of(l_code);
        DBMS_LOB.TRIM(l_answer, 0);
        append(l_answer, '{"errorCode":' || TO_CHAR(ABS(l_code)) || ',"errorDetails":');
        append_short_text(l_answer, DBMS_UTILITY.FORMAT_ERROR_STACK);
        append(l_answer, '}');
        ROLLBACK;
    END;
    release_rows;
    print(l_answer);
    DBMS_LOB.FREETEMPORARY(l_answer);
  END;
END;
/
