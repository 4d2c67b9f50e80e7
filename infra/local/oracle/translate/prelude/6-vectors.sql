-- Vectors: pgvector with Oracle's errors.
CREATE EXTENSION IF NOT EXISTS vector;

CREATE OR REPLACE FUNCTION ora.fit_vector(v vector, dimensions integer, int8 boolean) RETURNS vector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF v IS NOT NULL AND vector_dims(v) <> dimensions THEN
    PERFORM ora.raise(51803, 'Vector dimension count must match the dimension count specified in the column definition (actual: '
      || vector_dims(v) || ', required: ' || dimensions || ').');
  END IF;
  RETURN CASE WHEN int8 THEN ora.vector_int8(v) ELSE v END;
END $$;

CREATE OR REPLACE FUNCTION ora.vector_int8(v vector) RETURNS vector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM unnest(v::real[]) AS x WHERE round(x) NOT BETWEEN -128 AND 127) THEN
    PERFORM ora.raise(51806, 'Vector column value is out of range for the format INT8.');
  END IF;
  RETURN (SELECT array_agg(round(x) ORDER BY i)::real[]::vector FROM unnest(v::real[]) WITH ORDINALITY AS u(x, i));
END $$;

CREATE OR REPLACE FUNCTION ora.to_vector(v text, dimensions integer) RETURNS vector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN ora.fit_vector(v::vector, dimensions, FALSE);
EXCEPTION WHEN data_exception THEN
  PERFORM ora.raise(51805, 'Vector is not properly formatted (dimension value is not a number, or the text is not a vector).');
END $$;

CREATE OR REPLACE FUNCTION ora.hamming_distance(a vector, b vector) RETURNS float8 LANGUAGE plpgsql IMMUTABLE STRICT AS $$
BEGIN
  IF vector_dims(a) <> vector_dims(b) THEN
    PERFORM ora.raise(51808, 'A vector distance requires both operands to have the same dimension count. Left is '
      || vector_dims(a) || ', right is ' || vector_dims(b) || '.');
  END IF;
  RETURN (SELECT count(*) FROM unnest(a::real[], b::real[]) AS u(x, y) WHERE x <> y)::float8;
END $$;

-- VECTOR_EMBEDDING: the vector of a text among the known ones. An unknown text is reported as a warning (SQLSTATE OE001) and
-- gets some vector of the right width: the engine undoes the statement and runs it again with the right one.
CREATE OR REPLACE FUNCTION ora.vector_embedding(model text, input text, known jsonb, dimensions integer) RETURNS vector LANGUAGE plpgsql STABLE AS $$
DECLARE
  found text := known ->> (model || ':' || input);
BEGIN
  IF found IS NOT NULL THEN
    RETURN found::vector;
  END IF;
  IF input IS NULL THEN
    PERFORM ora.raise(3001, 'unimplemented feature: VECTOR_EMBEDDING of NULL');
  ELSIF octet_length(input) > 4000 THEN
    PERFORM ora.raise(22835, 'Buffer too small for CLOB to CHAR or BLOB to RAW conversion (actual: ' || octet_length(input) || ', maximum: 4000)');
  END IF;
  RAISE WARNING USING ERRCODE = 'OE001', MESSAGE = model || ':' || input;
  RETURN array_fill(1::real, ARRAY[dimensions])::vector;
END $$;
