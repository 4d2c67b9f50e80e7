import { createSchemaNames, type SchemaNames } from '../../lib/schema/schema-names.ts';
import { SESSION_SETTINGS } from '../../lib/sql/node-oracledb/session-settings.ts';
import { rowAccessCall } from '../../lib/sql/row-access.ts';
import {
  createRecordingTransport,
  type RecordedStatement,
} from '../ords/statement-driver/recording-transport.ts';
import { ANSWERS, sendEveryStatement } from '../ords/statement-driver/send-every-statement.ts';
import { distinctTexts } from '../ords/statement-list.ts';
import { furtherTexts, representativeTexts } from './representative-texts.ts';
import { SCHEMA_ANSWERS, sendSchemaStatements } from './schema-statements.ts';

/** Texts that are read together. */
export interface CatalogSection {
  readonly title: string;
  /** What is shown of them, a sentence. */
  readonly shown: string;
  /** How many there are, shown or not. */
  readonly total: number;
  readonly statements: readonly RecordedStatement[];
}

/** Width of the vectors in the texts that are shown. */
export const CATALOG_DIMENSIONS = 1536;

interface Variant {
  readonly fixedStatements: boolean;
  readonly hasLimitedCallers: boolean;
  readonly embeddingModel?: string;
}

/** Every text of a service of one kind, in the order of names. */
export async function serviceTexts(variant: Variant): Promise<readonly RecordedStatement[]> {
  const { fixedStatements, hasLimitedCallers, embeddingModel } = variant;
  const transport = createRecordingTransport({ rows: ANSWERS, fixedStatements });
  const names = createSchemaNames({ embeddingModel });
  const sources = { transport, names, dimensions: CATALOG_DIMENSIONS, vectorIndex: 'hnsw' } as const;
  await sendEveryStatement({ ...sources, hasLimitedCallers });
  return distinctTexts(transport.statements).toSorted((one, other) =>
    one.name < other.name ? -1 : one.name > other.name ? 1 : 0,
  );
}

/** Every text that creates, changes and removes a schema. */
export async function schemaTexts(names: SchemaNames): Promise<readonly RecordedStatement[]> {
  const transport = createRecordingTransport({ rows: SCHEMA_ANSWERS });
  await sendSchemaStatements(transport, names, CATALOG_DIMENSIONS);
  return distinctTexts(transport.statements);
}

/** What a direct connection sends beside the statements of the service. */
export function sessionTexts(names: SchemaNames): readonly RecordedStatement[] {
  const rowAccess = rowAccessCall(names.rowAccess, undefined);
  const settings = { sql: SESSION_SETTINGS, binds: {} };
  return [
    { name: 'session.settings', kind: 'ddl', shape: {}, outs: [], ...settings },
    ...(rowAccess === undefined
      ? []
      : [{ name: 'session.row_access', kind: 'atomic', shape: {}, outs: [], ...rowAccess } as const]),
  ];
}

/** All texts of this program: of each kind the few that show what the others are made of. */
export async function readStatementCatalog(): Promise<readonly CatalogSection[]> {
  const service = await serviceTexts({ fixedStatements: false, hasLimitedCallers: false });
  const first = representativeTexts(service);
  const limited = await serviceTexts({ fixedStatements: false, hasLimitedCallers: true });
  const further = furtherTexts(limited, first);
  const inDatabase = await serviceTexts({
    fixedStatements: false,
    hasLimitedCallers: false,
    embeddingModel: 'MODELS.ALL_MINILM_L12_V2',
  });
  const embedding = furtherTexts(inDatabase, first);
  const installed = await serviceTexts({ fixedStatements: true, hasLimitedCallers: true });
  const fixed = furtherTexts(installed, [...first, ...further]);
  const schema = await schemaTexts(createSchemaNames());
  const sessions = sessionTexts(createSchemaNames());
  const others = 'those that show what no text above does';
  return [
    section('Service', 'at least one of each name', service, first),
    section('Service, for callers limited to users, agents or threads', others, limited, further),
    section('Service, with an embedding model in the database', others, inDatabase, embedding),
    section('Service, installed statements (ORDS_MODE=module)', others, installed, fixed),
    section('Sessions of a direct connection (ORACLE_TRANSPORT=thin)', 'all', sessions, sessions),
    section('Schema (npm run schema)', 'all', schema, schema),
  ];
}

function section(
  title: string,
  shown: string,
  all: readonly RecordedStatement[],
  statements: readonly RecordedStatement[],
): CatalogSection {
  return { title, shown, total: all.length, statements };
}
