import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { VectorIndex } from '../../lib/schema/schema-policy.ts';
import { type FixedStatement, statementHash } from '../../lib/sql/fixed-statement.ts';
import { createRecordingTransport, type RecordedStatement } from './statement-driver/recording-transport.ts';
import { ANSWERS, sendEveryStatement } from './statement-driver/send-every-statement.ts';

/** What the texts of a store depend on. */
export interface StatementListOptions {
  readonly names: SchemaNames;
  /** Width of the vectors. */
  readonly dimensions: number;
  readonly vectorIndex: VectorIndex;
}

/**
 * Every text that a deployed service sends over a transport with fixed statements, in a fixed order: by name, then as the
 * store writes them. A database that has these installed needs no other.
 */
export async function listStatements(options: StatementListOptions): Promise<readonly FixedStatement[]> {
  const transport = createRecordingTransport({ rows: ANSWERS, fixedStatements: true });
  await sendEveryStatement({ ...options, transport });
  const listed = await Promise.all(distinctTexts(transport.statements).map(fixedStatement));
  return listed.sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0));
}

/** Each text of a name once. */
export function distinctTexts(statements: readonly RecordedStatement[]): readonly RecordedStatement[] {
  const byIdentity = new Map<string, RecordedStatement>();
  for (const statement of statements) {
    const identity = `${statement.name}\n${statement.sql}`;
    if (!byIdentity.has(identity)) byIdentity.set(identity, statement);
  }
  return [...byIdentity.values()];
}

async function fixedStatement({
  name,
  kind,
  sql,
  binds,
  shape,
  outs,
}: RecordedStatement): Promise<FixedStatement> {
  const types = Object.entries(binds).map(([bind, { type }]) => [bind, type] as const);
  return {
    name,
    hash: await statementHash(sql),
    sql,
    kind: kind === 'query' ? 'query' : 'atomic',
    binds: Object.fromEntries(types),
    shape,
    outs,
  };
}
