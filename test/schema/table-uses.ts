import {
  createRecordingTransport,
  type RecordedStatement,
} from '../../infra/ords/statement-driver/recording-transport.ts';
import { readModelDimensions } from '../../lib/schema/embedding-model.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSchemaState } from '../../lib/schema/schema-state.ts';
import { isToken, type OracleToken, startsWith, tokenizeOracle } from '../grammar/oracle-token.ts';
import { everyStatement } from '../store/every-statement.ts';

const names = createSchemaNames();
const tables = tableNames(names);

/** What a service sends: the statements of the store, and the reads with which it verifies the schema. */
export async function everyRuntimeStatement(): Promise<readonly Pick<RecordedStatement, 'name' | 'sql'>[]> {
  const transport = createRecordingTransport({ rows: { 'schema.read_model': [{ model_dimensions: 3 }] } });
  await readSchemaState(transport, names);
  await readModelDimensions(transport, 'OWNER.MODEL', undefined);
  return [...(await everyStatement()), ...transport.statements];
}

/** `table verb` for each use of a table in a statement. */
export function tableUses(sql: string): readonly string[] {
  const tokens = tokenizeOracle(sql);
  return tokens.flatMap((token, index) =>
    token.kind === 'word' && tables.includes(token.text)
      ? verbsAt(tokens, index).map((verb) => `${token.text} ${verb}`)
      : [],
  );
}

function verbsAt(tokens: readonly OracleToken[], index: number): readonly string[] {
  if (startsWith(tokens, index - 2, 'INSERT INTO')) return ['INSERT'];
  if (isToken(tokens, index - 1, 'UPDATE')) return ['UPDATE'];
  if (startsWith(tokens, index - 2, 'DELETE FROM')) return ['DELETE'];
  if (startsWith(tokens, index - 2, 'MERGE INTO')) return ['SELECT', 'INSERT', 'UPDATE'];
  return ['SELECT'];
}
