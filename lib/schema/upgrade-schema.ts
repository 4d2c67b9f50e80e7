import { oracleErrorOf } from '../sql/oracle-database-error.ts';
import { type DdlOptions, type ManagedObjects, runStatements } from './managed-objects.ts';
import type { DdlStatement } from './render-migration.ts';
import { type PlanOptions, planStatements } from './schema-plan.ts';
import { type SchemaState, type SchemaTarget, writeSchemaState } from './schema-state.ts';
import { createTextLexer } from './text-index.ts';

export interface UpgradeOptions extends DdlOptions, PlanOptions {
  readonly plan: readonly DdlStatement[];
  readonly found: ManagedObjects;
  /** What the store says about itself; undefined while it is not complete. */
  readonly state: SchemaState | undefined;
  readonly target: SchemaTarget;
  readonly warn?: (message: string) => void;
}

const UNIQUE_CONSTRAINT_VIOLATED = 1;

/**
 * Creates what is missing of the version that the store has, then runs the statements of each newer version and records
 * it. DDL cannot be rolled back, so a version counts as reached only when all its statements have run; after a failure
 * the next run repeats it from its beginning. That is why its statements can be repeated: what exists is skipped, and
 * an UPDATE finds only rows that it has not changed. A store that is created now is recorded once, at its end.
 */
export async function upgradeSchema(options: UpgradeOptions): Promise<void> {
  const { state, target } = options;
  const statements = (await planWithLexer(options)).filter((statement) => isToRun(statement, options));
  const reached = state?.schemaVersion ?? target.schemaVersion;
  await runStatements(
    options,
    statements.filter(({ version }) => version <= reached),
  );
  await recordVersion(options, reached);
  for (let version = reached + 1; version <= target.schemaVersion; version += 1) {
    await runStatements(
      options,
      statements.filter((statement) => statement.version === version),
    );
    await recordVersion(options, version);
  }
}

/** What exists is not created or added again; what changes something runs unless the store has its version. */
function isToRun({ creates, columns, version }: DdlStatement, { found, state }: UpgradeOptions): boolean {
  if (creates !== undefined) return !found.objects.has(creates);
  if (columns.length > 0) return columns.some((column) => !found.columns.has(column));
  return state === undefined || version > state.schemaVersion;
}

/** The lexer of a text index must exist before the index, and may be out of reach. */
async function planWithLexer(options: UpgradeOptions): Promise<readonly DdlStatement[]> {
  const { names, plan, found } = options;
  const buildsTextIndex = plan.some(({ creates }) => creates === names.textIndex);
  if (!buildsTextIndex || found.objects.has(names.textIndex)) return plan;
  return planStatements({ ...options, hasTextLexer: await createTextLexer(options) });
}

/** Another process may record the same store first: its row is as good as ours. */
async function recordVersion(options: UpgradeOptions, schemaVersion: number): Promise<void> {
  const { state, target } = options;
  // A program that searches by words may open a hybrid store, which stays one.
  const searchStrategy = state?.searchStrategy === 'hybrid' ? 'hybrid' : target.searchStrategy;
  const reached = { ...target, schemaVersion, searchStrategy };
  try {
    await writeSchemaState(options.transport, options.names, reached, options);
  } catch (error) {
    if (oracleErrorOf(error)?.number !== UNIQUE_CONSTRAINT_VIOLATED) throw error;
  }
}
