import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { asText, asVector } from '../conversion.ts';
import { CLOB, double, isText, number, type Value } from '../value.ts';
import type { FunctionDefinition, Functions } from './call.ts';

/** How a distance is computed with pgvector. */
type Metric = 'COSINE' | 'DOT' | 'EUCLIDEAN' | 'EUCLIDEAN_SQUARED' | 'MANHATTAN' | 'HAMMING';

/** Metric of each distance operator. */
export const DISTANCE_OPERATORS: Readonly<Record<string, Metric>> = {
  '<->': 'EUCLIDEAN',
  '<=>': 'COSINE',
  '<#>': 'DOT',
};

const METRICS: Readonly<Record<string, Metric>> = {
  COSINE: 'COSINE',
  DOT: 'DOT',
  EUCLIDEAN: 'EUCLIDEAN',
  L2: 'EUCLIDEAN',
  EUCLIDEAN_SQUARED: 'EUCLIDEAN_SQUARED',
  L2_SQUARED: 'EUCLIDEAN_SQUARED',
  MANHATTAN: 'MANHATTAN',
  HAMMING: 'HAMMING',
};

/** Vectors of unequal dimensions: refused here when both are known (ORA-51808), by pgvector otherwise. */
export function vectorDistance(left: Value, right: Value, metric: Metric, offset: number): Value {
  if (left.type?.kind === 'VECTOR' && right.type?.kind === 'VECTOR') {
    const [a, b] = [left.type.dimensions, right.type.dimensions];
    if (a !== '*' && b !== '*' && a !== b) {
      throw new OracleError(
        51808,
        `A vector distance requires both operands to have the same dimension count. Left is ${a}, right is ${b}.`,
        { offset },
      );
    }
  }
  const [a, b] = [left.sql, right.sql];
  switch (metric) {
    case 'COSINE':
      return double(`(${a} <=> ${b})`);
    case 'DOT':
      return double(`(${a} <#> ${b})`);
    case 'EUCLIDEAN':
      return double(`(${a} <-> ${b})`);
    case 'EUCLIDEAN_SQUARED':
      return double(`((${a} <-> ${b}) ^ 2)`);
    case 'MANHATTAN':
      return double(`(${a} <+> ${b})`);
    case 'HAMMING':
      return double(`ora.hamming_distance(${a}, ${b})`);
  }
}

function distance(metric: Metric): FunctionDefinition {
  return {
    count: [2, 2],
    translate: ([left, right], call) =>
      vectorDistance(vector(left, call), vector(right, call), metric, call.offset),
  };
}

function vector(value: Value | undefined, call: CallExpression): Value {
  if (value === undefined) {
    throw new OracleError(938, `not enough arguments for function "${call.name}"`, { offset: call.offset });
  }
  return asVector(value, call.offset);
}

/** Functions on vectors. */
export const VECTOR_FUNCTIONS: Functions = {
  VECTOR_DISTANCE: {
    count: [2, 2],
    translate: ([left, right], call) => {
      const metric = METRICS[call.keyword ?? 'COSINE'];
      if (metric === undefined) {
        throw call.keyword === 'JACCARD'
          ? new OracleError(51837, 'The JACCARD distance metric requires vectors with BINARY format.', {
              offset: call.offset,
            })
          : new OracleError(904, `"${call.keyword}": invalid identifier`, { offset: call.offset });
      }
      return vectorDistance(vector(left, call), vector(right, call), metric, call.offset);
    },
  },
  COSINE_DISTANCE: distance('COSINE'),
  L1_DISTANCE: distance('MANHATTAN'),
  L2_DISTANCE: distance('EUCLIDEAN'),
  HAMMING_DISTANCE: distance('HAMMING'),
  INNER_PRODUCT: {
    count: [2, 2],
    translate: ([left, right], call) =>
      double(`(- ${vectorDistance(vector(left, call), vector(right, call), 'DOT', call.offset).sql})`),
  },
  TO_VECTOR: { count: [1, 2], translate: translateToVector },
  FROM_VECTOR: {
    count: [1, 1],
    translate: ([value], call) => ({ sql: `(${vector(value, call).sql})::text`, type: CLOB }),
  },
  VECTOR_DIMENSION_COUNT: {
    count: [1, 1],
    translate: ([value], call) => number(`vector_dims(${vector(value, call).sql})::numeric`),
  },
  VECTOR_DIMS: {
    count: [1, 1],
    translate: ([value], call) => number(`vector_dims(${vector(value, call).sql})::numeric`),
  },
  VECTOR_NORM: {
    count: [1, 1],
    translate: ([value], call) => double(`vector_norm(${vector(value, call).sql})`),
  },
};

function translateToVector(values: readonly Value[], call: CallExpression): Value {
  const [value] = values;
  const size = call.arguments[1];
  if (value === undefined || (size !== undefined && size.kind !== 'number')) {
    throw new OracleError(51801, 'VECTOR dimensions must be a literal', { offset: call.offset });
  }
  const dimensions = size === undefined ? '*' : Number(size.value);
  const bound = dimensions === '*' ? 'NULL' : String(dimensions);
  const format = formatOf(call.keyword);
  const parsed =
    isText(value.type) || value.type === undefined
      ? `ora.to_vector(${asText(value, call.offset)}, ${bound})`
      : `ora.fit_vector(${asVector(value, call.offset).sql}, ${bound}, FALSE)`;
  const sql = format === 'INT8' ? `ora.vector_int8(${parsed})` : parsed;
  return { sql, type: { kind: 'VECTOR', dimensions, format } };
}

function formatOf(keyword: string | undefined): 'FLOAT32' | 'FLOAT64' | 'INT8' | '*' {
  return keyword === 'FLOAT64' || keyword === 'INT8' || keyword === '*' ? keyword : 'FLOAT32';
}
