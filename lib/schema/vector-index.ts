import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import { type DdlOptions, dropIndex, runStatements } from './managed-objects.ts';
import { recordIndexKind } from './optional-index.ts';
import { type Migration, type MigrationValues, renderMigration } from './render-migration.ts';
import { scriptOf } from './schema-plan.ts';
import type { VectorIndex } from './schema-policy.ts';

export interface VectorIndexOptions extends DdlOptions, MigrationValues {
  readonly migrations: readonly Migration[];
  readonly vectorIndex: VectorIndex;
  readonly warn?: (message: string) => void;
}

const PARTS = { hnsw: 'vector_index_hnsw', ivf: 'vector_index_ivf' } as const;
/** What is tried when the vector pool has no room (ORA-51962). */
const FALLBACKS = { hnsw: 'ivf', ivf: 'none' } as const;
const VECTOR_POOL_TOO_SMALL = 51_962;

/**
 * Replaces the vector index by one of the wanted kind. One that does not fit into the vector pool is replaced by the next
 * simpler one, with a warning.
 *
 * @returns The kind that the store has now
 */
export async function changeVectorIndex(options: VectorIndexOptions): Promise<VectorIndex> {
  await dropIndex(options, options.names.vectorIndex);
  let kind = options.vectorIndex;
  while (kind !== 'none' && !(await buildIndex(options, kind))) {
    const fallback = FALLBACKS[kind];
    options.warn?.(`the vector pool is too small for an index of the kind ${kind}: using ${fallback}`);
    kind = fallback;
  }
  await recordIndexKind(options, 'vector_index', kind);
  return kind;
}

async function buildIndex(options: VectorIndexOptions, kind: 'hnsw' | 'ivf'): Promise<boolean> {
  const script = scriptOf(options.migrations, PARTS[kind]);
  if (script === undefined)
    throw new AgentMemoryError('unsupported', `there is no script for ${kind} indexes`);
  try {
    await runStatements(options, renderMigration(script, options));
    return true;
  } catch (error) {
    if (oracleErrorOf(error)?.number === VECTOR_POOL_TOO_SMALL) return false;
    throw error;
  }
}
