import {
  type DdlStatement,
  type Migration,
  type MigrationPart,
  type MigrationValues,
  renderMigration,
} from './render-migration.ts';
import type { SearchStrategy } from './schema-policy.ts';

/** What a store needs by how it searches. No strategy needs a vector index: ranking is exact. */
const PARTS: Readonly<Record<SearchStrategy, readonly MigrationPart[]>> = {
  vector: ['store'],
  keyword: ['store', 'text_index'],
  hybrid: ['store', 'text_index'],
};

export interface PlanOptions extends MigrationValues {
  readonly migrations: readonly Migration[];
  readonly searchStrategy: SearchStrategy;
}

/** All statements that a store needs, by version: what `apply` would run in an empty schema. */
export function planStatements(options: PlanOptions): readonly DdlStatement[] {
  const parts = PARTS[options.searchStrategy];
  return [...options.migrations]
    .filter((migration) => parts.includes(migration.part))
    .sort((one, other) => one.version - other.version)
    .flatMap((migration) => renderMigration(migration, options));
}

/** The newest script of a part that a database may have on top. */
export function scriptOf(migrations: readonly Migration[], part: MigrationPart): Migration | undefined {
  return migrations.filter((migration) => migration.part === part).sort((a, b) => b.version - a.version)[0];
}
