import { AgentMemoryError, invalidRequest } from '../errors/agent-memory-error.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../sql/sql-transport.ts';

/** Model does not exist, or not for this user; a function or object that the user may not use. */
const NO_MODEL: ReadonlySet<number> = new Set([40_284, 904, 942, 1031, 41_900]);

/**
 * Embeds one word in the database: whether the model is there and may be used, and how wide its vectors are. One round
 * trip.
 *
 * @param model as in `SchemaNames.embeddingModel`
 * @param expected width that is configured, if any
 * @throws AgentMemoryError `invalid_request` naming the variable and the remedy
 */
export async function readModelDimensions(
  transport: SqlTransport,
  model: string,
  expected: number | undefined,
  options: CallOptions = {},
): Promise<number> {
  const dimensions = await askDimensions(transport, model, options);
  if (expected !== undefined && expected !== dimensions) {
    throw invalidRequest(
      'EMBEDDING_DIMENSION',
      `is ${expected}, and the model ${model} in the database makes vectors of ${dimensions}: leave it out or set it to ${dimensions}`,
    );
  }
  return dimensions;
}

async function askDimensions(transport: SqlTransport, model: string, options: CallOptions): Promise<number> {
  const query = {
    name: 'schema.read_model',
    sql: `SELECT VECTOR_DIMENSION_COUNT(VECTOR_EMBEDDING(${model} USING 'width' AS DATA)) AS model_dimensions FROM dual`,
    binds: {},
    shape: { model_dimensions: 'number' },
  } as const;
  try {
    const [row] = await transport.query(query, options);
    if (typeof row?.model_dimensions === 'number') return row.model_dimensions;
  } catch (cause) {
    if (!NO_MODEL.has(oracleErrorOf(cause)?.number ?? 0)) throw cause;
    throw new AgentMemoryError('invalid_request', `EMBEDDING_MODEL: ${missing(model)}`, {
      cause,
      issues: [{ path: 'EMBEDDING_MODEL', message: missing(model) }],
    });
  }
  throw invalidRequest('EMBEDDING_MODEL', `names ${model}, which gave no vector`);
}

function missing(model: string): string {
  return `the database has no embedding model ${model} that this user may use: load it with DBMS_VECTOR.LOAD_ONNX_MODEL, or name another one`;
}
