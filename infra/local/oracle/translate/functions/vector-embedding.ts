import { OracleError } from '../../sql/oracle-error.ts';
import type { CallExpression } from '../../sql/syntax-tree.ts';
import { asText } from '../conversion.ts';
import { quoteText } from '../names.ts';
import type { Environment } from '../scope.ts';
import type { TextToEmbed, TranslationParameter } from '../translation.ts';
import { isText, type Value } from '../value.ts';
import type { Functions } from './call.ts';

/**
 * VECTOR_EMBEDDING of a model that the engine was given. PostgreSQL cannot call it, so the statement takes the vectors
 * as a parameter and reports each text that it does not find there; the engine then runs it again (`embed-and-run.ts`).
 */
export const EMBEDDING_FUNCTIONS: Functions = {
  VECTOR_EMBEDDING: { count: [1, 1], translate: translateEmbedding },
};

function translateEmbedding(
  [value]: readonly Value[],
  call: CallExpression,
  environment: Environment,
): Value {
  const { state } = environment;
  const name = call.keyword ?? '';
  if (environment.restricted === true || environment.inDefinition === true) {
    throw new OracleError(3001, 'unimplemented feature: VECTOR_EMBEDDING in the definition of an object', {
      offset: call.offset,
    });
  }
  const model = state.catalog.embeddingModel(name);
  if (model === undefined) {
    throw new OracleError(40284, 'model does not exist', { offset: call.offset });
  }
  const known = textBefore(value, call, state.parameters);
  const vectors = state.embeddings(known === undefined ? [] : [{ model: name, text: known }]);
  const input = value === undefined ? 'NULL' : asText(value, call.offset);
  const sql = `ora.vector_embedding(${quoteText(name)}, ${input}, ${vectors}, ${model.dimensions})`;
  return {
    // A subquery without columns is computed once, not for each row.
    sql: known === undefined ? sql : `(SELECT ${sql})`,
    type: { kind: 'VECTOR', dimensions: model.dimensions, format: 'FLOAT32' },
  };
}

/** A literal or bind of text: the same for every row, and known before the statement runs. */
function textBefore(
  value: Value | undefined,
  call: CallExpression,
  parameters: readonly TranslationParameter[],
): TextToEmbed['text'] | undefined {
  const [argument] = call.arguments;
  if (argument?.kind === 'text' && argument.value !== '') {
    return argument.value;
  }
  if (argument?.kind !== 'bind' || !isText(value?.type)) {
    return undefined;
  }
  return parameters.find(({ source, name }) => source === 'bind' && name === argument.name);
}
