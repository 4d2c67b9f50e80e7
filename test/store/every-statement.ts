import {
  createRecordingTransport,
  type RecordedStatement,
} from '../../infra/ords/statement-driver/recording-transport.ts';
import { ANSWERS, sendEveryStatement } from '../../infra/ords/statement-driver/send-every-statement.ts';
import { distinctTexts } from '../../infra/ords/statement-list.ts';
import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { DIMENSIONS } from './store-samples.ts';

/** Every SQL text that the store sends over a transport that takes any text, each once. */
export async function everyStatement(
  names: SchemaNames = createSchemaNames(),
): Promise<readonly RecordedStatement[]> {
  const transport = createRecordingTransport({ rows: ANSWERS });
  await sendEveryStatement({ transport, names, dimensions: DIMENSIONS, vectorIndex: 'hnsw' });
  return distinctTexts(transport.statements);
}
