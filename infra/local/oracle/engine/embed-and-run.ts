import { OracleError } from '../sql/oracle-error.ts';
import type { TextToEmbed } from '../translate/translation.ts';
import type { EmbeddingModel, OracleValue } from './oracle-engine.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import type { PostgresTransaction } from './postgres-transaction.ts';
import type { StatementOutcome, ValueSource } from './statement-runner.ts';
import type { TranslatedStatement } from './statement-translator.ts';

/** A text that depends on no vector is found in the first run, one that depends on a vector in the second, and so on. */
const MAXIMUM_RUNS = 8;

export interface EmbeddingParts {
  readonly connection: PostgresConnection;
  readonly models: ReadonlyMap<string, EmbeddingModel>;
  readonly transaction: PostgresTransaction;
}

/**
 * Runs a statement that calls VECTOR_EMBEDDING. What its text shows is embedded before; a run that meets further texts
 * reports them, is undone, and the statement runs again with their vectors. So every expression over rows has its vector,
 * whatever the statement is, and nothing of an incomplete run is left.
 *
 * @param runOnce runs the statement's steps with the given source of values
 */
export async function embedAndRun(
  statement: TranslatedStatement,
  read: ValueSource,
  { connection, models, transaction }: EmbeddingParts,
  runOnce: (read: ValueSource) => Promise<StatementOutcome>,
): Promise<StatementOutcome> {
  const vectors = new Map<string, string>();
  let missing = textsBefore(statement.textsToEmbed ?? [], read);
  for (let runs = 0; runs < MAXIMUM_RUNS; runs += 1) {
    await embedTexts(missing, models, vectors);
    const known = JSON.stringify(Object.fromEntries(vectors));
    const point = await transaction.mark();
    connection.takeReportedTexts();
    let outcome: StatementOutcome | undefined;
    let failure: unknown;
    try {
      outcome = await runOnce((parameter) => (parameter.source === 'embeddings' ? known : read(parameter)));
    } catch (error) {
      failure = error;
    }
    missing = connection.takeReportedTexts();
    if (missing.length === 0) {
      if (outcome === undefined) throw failure;
      await transaction.keep(point);
      return outcome;
    }
    await transaction.undo(point);
  }
  throw new OracleError(
    3001,
    'unimplemented feature: VECTOR_EMBEDDING of a text that is another one each time it is asked for',
  );
}

/** Model and text, as `ora.vector_embedding` looks them up and reports them. */
const keyOf = (model: string, text: string): string => `${model}:${text}`;

function textsBefore(texts: readonly TextToEmbed[], read: ValueSource): readonly string[] {
  return texts.flatMap(({ model, text }) => {
    const value: OracleValue | undefined = typeof text === 'string' ? text : read(text);
    return typeof value === 'string' && value !== '' ? [keyOf(model, value)] : [];
  });
}

async function embedTexts(
  keys: readonly string[],
  models: ReadonlyMap<string, EmbeddingModel>,
  vectors: Map<string, string>,
): Promise<void> {
  for (const [name, model] of models) {
    const prefix = keyOf(name, '');
    const texts = [...new Set(keys)]
      .filter((key) => key.startsWith(prefix))
      .map((key) => key.slice(prefix.length));
    if (texts.length === 0) continue;
    const embeddings = await model.embed(texts);
    for (const [index, embedding] of embeddings.entries()) {
      vectors.set(keyOf(name, texts[index] ?? ''), `[${embedding.join(',')}]`);
    }
  }
}
