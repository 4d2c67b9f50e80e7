import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import { listModuleStatements } from './list-module-statements.ts';
import { renderModuleScript, renderRemovalScript } from './render-module-script.ts';

/** The runtime user of `infra/sql/admin/settings.sql`. */
const RUNTIME_USER = 'AGENT_MEMORY_RUNTIME';

export interface ModuleCommand {
  readonly names: SchemaNames;
  readonly vectorDimensions: number;
  readonly hasRowIsolation: boolean;
  readonly runtimeUser?: string | undefined;
  /** Print what removes the statements of older programs instead. */
  readonly removesOld?: boolean | undefined;
}

/** What `npm run schema -- module` prints. @throws AgentMemoryError `invalid_request` for a user that is no plain name */
export async function moduleScriptOf(command: ModuleCommand): Promise<string> {
  const {
    names,
    vectorDimensions,
    hasRowIsolation,
    runtimeUser = RUNTIME_USER,
    removesOld = false,
  } = command;
  const statements = await listModuleStatements(names, vectorDimensions);
  return removesOld
    ? renderRemovalScript(names, statements)
    : renderModuleScript({ names, statements, runtimeUser, hasRowIsolation });
}
