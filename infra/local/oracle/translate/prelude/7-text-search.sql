-- Oracle Text: the words of a column as a tsvector. Letters and digits make words, everything else separates them, and
-- upper case is compared;
-- runs of Chinese, Japanese or Korean characters are indexed as overlapping pairs.
CREATE OR REPLACE FUNCTION ora.ctx_cjk() RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT '\u3005-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f'
$$;

-- The first 255 bytes of a word, in whole characters: the rest is not indexed.
CREATE OR REPLACE FUNCTION ora.ctx_token(word text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  word := left(word, 255);
  WHILE octet_length(word) > 255 LOOP
    word := left(word, -1);
  END LOOP;
  RETURN word;
END $$;

CREATE OR REPLACE FUNCTION ora.ctx_words(v text) RETURNS text[] LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  word text;
  words text[] := '{}';
BEGIN
  IF v !~ ('[' || ora.ctx_cjk() || ']') THEN
    words := regexp_split_to_array(trim(regexp_replace(upper(v), '[^[:alnum:]]+', ' ', 'g')), ' ');
    IF EXISTS (SELECT 1 FROM unnest(words) AS w WHERE octet_length(w) > 255) THEN
      words := ARRAY(SELECT ora.ctx_token(u.w) FROM unnest(words) WITH ORDINALITY AS u(w, n) ORDER BY u.n);
    END IF;
    RETURN words;
  END IF;
  FOR word IN SELECT m[1] FROM regexp_matches(upper(v), '([' || ora.ctx_cjk() || ']+|(?:(?![' || ora.ctx_cjk() || '])[[:alnum:]])+)', 'g') AS m LOOP
    IF word ~ ('^[' || ora.ctx_cjk() || ']') AND char_length(word) > 1 THEN
      words := words || ARRAY(SELECT pg_catalog.substr(word, i, 2) FROM generate_series(1, char_length(word) - 1) AS i);
    ELSE
      words := words || ora.ctx_token(word);
    END IF;
  END LOOP;
  RETURN words;
END $$;

-- Word by word: PostgreSQL's own parser would read 5e3abc as a number and a word.
CREATE OR REPLACE FUNCTION ora.ctx_vector(v text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN COALESCE((
    SELECT string_agg(quote_literal(u.w) || ':' || LEAST(u.n, 16383), ' ')
      FROM unnest(ora.ctx_words(v)) WITH ORDINALITY AS u(w, n) WHERE u.w <> ''), '')::tsvector;
END $$;

-- The words of one query term, which must follow each other. A single CJK character matches every pair that it begins.
CREATE OR REPLACE FUNCTION ora.ctx_term(v text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  w text;
  q tsquery;
  part tsquery;
BEGIN
  FOREACH w IN ARRAY ora.ctx_words(v) LOOP
    IF w <> '' THEN
      part := (quote_literal(w) || CASE WHEN char_length(w) = 1 AND w ~ ('[' || ora.ctx_cjk() || ']') THEN ':*' ELSE '' END)::tsquery;
      q := CASE WHEN q IS NULL THEN part ELSE tsquery_phrase(q, part) END;
    END IF;
  END LOOP;
  RETURN q;
END $$;

CREATE OR REPLACE FUNCTION ora.ctx_fail(message text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  PERFORM ora.raise(29902, 'error in executing ODCIIndexStart() routine' || chr(10) || 'ORA-20000: Oracle Text error:' || chr(10) || message);
END $$;

-- Terms `{text}` or plain words joined by AND, OR, ACCUM or NOT, read from left to right with AND binding before OR.
-- Braces around characters of which none makes a word match nothing (Oracle Text Reference, "Stopword
-- Transformations": no_lex), alone or beside OR and ACCUM; what AND and NOT make of them is refused.
CREATE OR REPLACE FUNCTION ora.ctx_query(v text) RETURNS tsquery LANGUAGE plpgsql IMMUTABLE AS $$
DECLARE
  token text;
  operator text;
  expects_term boolean := TRUE;
  term tsquery;
  chain tsquery;
  result tsquery;
  rest text := trim(COALESCE(v, ''));
BEGIN
  WHILE rest <> '' LOOP
    token := substring(rest FROM '^(\{[^{}]*\}|[[:alnum:]]+|[&|,~])');
    IF token IS NULL THEN
      PERFORM ora.ctx_fail('DRG-50901: text query parser syntax error on line 1, column ' || (char_length(v) - char_length(rest) + 1));
    END IF;
    rest := ltrim(pg_catalog.substr(rest, char_length(token) + 1));
    IF upper(token) IN ('AND', 'OR', 'ACCUM', 'NOT', '&', '|', ',', '~') THEN
      IF expects_term THEN
        PERFORM ora.ctx_fail('DRG-50901: text query parser syntax error on line 1, column ' || (char_length(v) - char_length(rest)));
      END IF;
      operator := CASE upper(token) WHEN '&' THEN 'AND' WHEN '|' THEN 'OR' WHEN ',' THEN 'ACCUM' WHEN '~' THEN 'NOT' ELSE upper(token) END;
      expects_term := TRUE;
    ELSE
      term := ora.ctx_term(token);
      IF term IS NULL AND token ~ '^\{\s*[^\s}]' AND expects_term AND COALESCE(operator, 'OR') IN ('OR', 'ACCUM') AND rest !~* '^(AND|NOT|&|~)' THEN
        term := '';
      END IF;
      IF term IS NULL OR NOT expects_term AND left(token, 1) = '{' THEN
        PERFORM ora.ctx_fail('DRG-50901: text query parser syntax error on line 1, column ' || (char_length(v) - char_length(rest)));
      END IF;
      IF NOT expects_term THEN
        chain := tsquery_phrase(chain, term);
      ELSIF operator IS NULL THEN
        chain := term;
      ELSIF operator = 'AND' THEN
        chain := chain && term;
      ELSIF operator = 'NOT' THEN
        chain := chain && !!term;
      ELSE
        result := CASE WHEN result IS NULL THEN chain ELSE result || chain END;
        chain := term;
      END IF;
      expects_term := FALSE;
    END IF;
  END LOOP;
  IF expects_term THEN
    PERFORM ora.ctx_fail('DRG-50901: text query parser syntax error on line 1, column ' || (char_length(COALESCE(v, '')) + 1));
  END IF;
  RETURN CASE WHEN result IS NULL THEN chain ELSE result || chain END;
END $$;

-- The words of a query and their weights, 1 + ln(N / df): rare words count more. Found once per statement.
DO $$ BEGIN
  CREATE TYPE ora.ctx_statistics AS (queries tsquery[], weights float8[]);
EXCEPTION WHEN duplicate_object THEN NULL;
END $$;

CREATE OR REPLACE FUNCTION ora.ctx_prepare(table_name text, column_name text, query text) RETURNS ora.ctx_statistics LANGUAGE plpgsql STABLE AS $$
DECLARE
  total bigint;
  found bigint;
  word tsquery;
  statistics ora.ctx_statistics := ROW('{}', '{}');
BEGIN
  EXECUTE format('SELECT count(*) FROM public.%I', table_name) INTO total;
  FOR word IN SELECT DISTINCT m[1]::tsquery FROM regexp_matches(ora.ctx_query(query)::text, '(''(?:[^'']|'''')+''(?::\*)?)', 'g') AS m LOOP
    EXECUTE format('SELECT count(*) FROM public.%I WHERE %I @@ $1', table_name, column_name) INTO found USING word;
    statistics.queries := statistics.queries || word;
    statistics.weights := statistics.weights || (1 + ln(GREATEST(total, 1)::float8 / GREATEST(found, 1)));
  END LOOP;
  RETURN statistics;
END $$;

-- Between 1 and 100: the more often the rarer words occur, the higher.
CREATE OR REPLACE FUNCTION ora.ctx_score(words tsvector, statistics ora.ctx_statistics) RETURNS numeric LANGUAGE sql IMMUTABLE AS $$
  SELECT LEAST(100, GREATEST(1, round((100 * sum(u.weight * ts_rank(words, u.query)))::numeric)))
    FROM unnest(statistics.queries, statistics.weights) AS u(query, weight)
$$;
