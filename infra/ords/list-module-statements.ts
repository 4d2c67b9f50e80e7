import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import type { FixedStatement } from '../../lib/sql/fixed-statement.ts';
import { listStatements } from './statement-list.ts';

/** What is installed for a store. Texts that ask the vector index are among them, also when it has none yet. */
export function listModuleStatements(
  names: SchemaNames,
  dimensions: number,
): Promise<readonly FixedStatement[]> {
  return listStatements({ names, dimensions, vectorIndex: 'hnsw' });
}
