import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import { type DdlOptions, dropIndex, runStatements } from './managed-objects.ts';
import { recordIndexKind } from './optional-index.ts';
import { type Migration, type MigrationValues, renderMigration } from './render-migration.ts';
import { scriptOf } from './schema-plan.ts';
import type { JsonIndex } from './schema-policy.ts';

export interface JsonIndexOptions extends DdlOptions, MigrationValues {
  readonly migrations: readonly Migration[];
  readonly jsonIndex: JsonIndex;
}

/** Builds the JSON search index on metadata anew, or drops it. No strategy needs it, and no answer depends on it. */
export async function changeJsonIndex(options: JsonIndexOptions): Promise<void> {
  const { names, migrations, jsonIndex } = options;
  await dropIndex(options, names.jsonIndex);
  if (jsonIndex === 'search') {
    const script = scriptOf(migrations, 'json_search_index');
    if (script === undefined)
      throw new AgentMemoryError('unsupported', 'there is no script for a JSON search index');
    await runStatements(options, renderMigration(script, options));
  }
  await recordIndexKind(options, 'json_index', jsonIndex);
}
