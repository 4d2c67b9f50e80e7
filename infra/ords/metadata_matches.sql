-- The function that says whether metadata matches a metadata filter: 1 or 0. Statements that are installed once have no
-- room for the conditions of a filter, so they call it. It reads its two arguments and nothing else.
--
-- The filter is the JSON object of the API. Its values are compared by JSON_EQUAL, and never become SQL. Every filter is
-- checked before it gets here; what is left to refuse raises ORA-20400. Without a filter everything matches.
--
-- Needs CREATE PROCEDURE. To run it with SQLcl:
--   DEFINE prefix = ''
--   @metadata_matches.sql

CREATE OR REPLACE FUNCTION &prefix.MEMORY_METADATA_MATCHES(
  p_metadata IN JSON,
  p_filter IN CLOB
) RETURN NUMBER DETERMINISTIC PARALLEL_ENABLE
IS
  PRAGMA UDF;
  l_filter JSON_OBJECT_T;
  l_metadata JSON_OBJECT_T;

  FUNCTION matches_value(p_expected IN JSON_ELEMENT_T, p_stored IN JSON_ELEMENT_T) RETURN BOOLEAN;

  -- 1 equals 1.0, members have no order, elements have one.
  FUNCTION is_equal(p_one IN JSON_ELEMENT_T, p_other IN JSON_ELEMENT_T) RETURN BOOLEAN
  IS
    l_one JSON := p_one.to_json;
    l_other JSON := p_other.to_json;
  BEGIN
    RETURN JSON_EQUAL(l_one, l_other);
  END is_equal;

  FUNCTION has_element(p_list IN JSON_ARRAY_T, p_wanted IN JSON_ELEMENT_T) RETURN BOOLEAN
  IS
  BEGIN
    FOR i IN 0 .. p_list.get_size - 1 LOOP
      IF is_equal(p_list.get(i), p_wanted) THEN
        RETURN TRUE;
      END IF;
    END LOOP;
    RETURN FALSE;
  END has_element;

  -- Whether a list is stored that has the wanted value; of a list of wanted values, all of them or any one.
  FUNCTION has_wanted(p_stored IN JSON_ELEMENT_T, p_wanted IN JSON_ELEMENT_T, p_any IN BOOLEAN) RETURN BOOLEAN
  IS
    l_list JSON_ARRAY_T;
    l_wanted JSON_ARRAY_T;
  BEGIN
    IF p_stored IS NULL OR NOT p_stored.is_array THEN
      RETURN FALSE;
    END IF;
    l_list := TREAT(p_stored AS JSON_ARRAY_T);
    IF NOT p_wanted.is_array THEN
      RETURN has_element(l_list, p_wanted);
    END IF;
    l_wanted := TREAT(p_wanted AS JSON_ARRAY_T);
    FOR i IN 0 .. l_wanted.get_size - 1 LOOP
      IF has_element(l_list, l_wanted.get(i)) = p_any THEN
        RETURN p_any;
      END IF;
    END LOOP;
    RETURN NOT p_any;
  END has_wanted;

  -- What is named $… where the value of a field stands. All must hold.
  FUNCTION holds(p_operator IN VARCHAR2, p_operand IN JSON_ELEMENT_T, p_stored IN JSON_ELEMENT_T) RETURN BOOLEAN
  IS
  BEGIN
    CASE p_operator
      WHEN '$not' THEN
        RETURN NOT matches_value(p_operand, p_stored);
      WHEN '$array_contains' THEN
        RETURN has_wanted(p_stored, p_operand, FALSE);
      WHEN '$array_contains_any' THEN
        RETURN has_wanted(p_stored, p_operand, TRUE);
      ELSE
        RAISE_APPLICATION_ERROR(-20400, p_operator || ' is not an operator of metadata filters');
    END CASE;
  END holds;

  FUNCTION hold_all(p_operators IN JSON_OBJECT_T, p_stored IN JSON_ELEMENT_T) RETURN BOOLEAN
  IS
    l_names JSON_KEY_LIST := p_operators.get_keys;
    l_name VARCHAR2(4000);
  BEGIN
    FOR i IN 1 .. l_names.COUNT LOOP
      l_name := l_names(i);
      IF NOT holds(l_name, p_operators.get(l_name), p_stored) THEN
        RETURN FALSE;
      END IF;
    END LOOP;
    RETURN TRUE;
  END hold_all;

  -- The fields that are named match; there may be others. GET gives NULL for a field that is not there, and GET_KEYS for
  -- an object without fields.
  FUNCTION match_all(p_expected IN JSON_OBJECT_T, p_stored IN JSON_OBJECT_T) RETURN BOOLEAN
  IS
    l_names JSON_KEY_LIST;
    l_name VARCHAR2(4000);
  BEGIN
    IF p_expected.get_size = 0 THEN
      RETURN TRUE;
    END IF;
    l_names := p_expected.get_keys;
    FOR i IN 1 .. l_names.COUNT LOOP
      l_name := l_names(i);
      IF l_name IS NULL THEN
        RAISE_APPLICATION_ERROR(-20400, 'PL/SQL cannot look up the field with the empty name');
      END IF;
      IF NOT matches_value(p_expected.get(l_name), p_stored.get(l_name)) THEN
        RETURN FALSE;
      END IF;
    END LOOP;
    RETURN TRUE;
  END match_all;

  FUNCTION has_operators(p_expected IN JSON_OBJECT_T) RETURN BOOLEAN
  IS
    l_names JSON_KEY_LIST;
  BEGIN
    IF p_expected.get_size = 0 THEN
      RETURN FALSE;
    END IF;
    l_names := p_expected.get_keys;
    RETURN SUBSTR(l_names(1), 1, 1) = '$';
  END has_operators;

  FUNCTION matches_value(p_expected IN JSON_ELEMENT_T, p_stored IN JSON_ELEMENT_T) RETURN BOOLEAN
  IS
    l_expected JSON_OBJECT_T;
  BEGIN
    IF NOT p_expected.is_object THEN
      RETURN p_stored IS NOT NULL AND is_equal(p_expected, p_stored);
    END IF;
    l_expected := TREAT(p_expected AS JSON_OBJECT_T);
    IF has_operators(l_expected) THEN
      RETURN hold_all(l_expected, p_stored);
    END IF;
    IF p_stored IS NULL OR NOT p_stored.is_object THEN
      RETURN FALSE;
    END IF;
    RETURN match_all(l_expected, TREAT(p_stored AS JSON_OBJECT_T));
  END matches_value;
BEGIN
  IF p_filter IS NULL THEN
    RETURN 1;
  END IF;
  l_filter := JSON_OBJECT_T(p_filter);
  l_metadata := TREAT(JSON_ELEMENT_T.load(p_metadata) AS JSON_OBJECT_T);
  IF match_all(l_filter, l_metadata) THEN
    RETURN 1;
  END IF;
  RETURN 0;
END;
/
