import type { SchemaNames } from '../../lib/schema/schema-names.ts';
import { listModuleStatements } from '../ords/list-module-statements.ts';
import { renderFilterFunction } from '../ords/render-module-script.ts';
import type { Emulator } from './oracle/start-emulator.ts';

/** Does to the emulator what the script of `npm run schema -- module` does to Oracle: filter function and statements. */
export async function installModule(
  emulator: Emulator,
  names: SchemaNames,
  vectorDimensions: number,
): Promise<void> {
  const session = emulator.engine.openSession();
  try {
    await session.execute(renderFilterFunction(names), []);
  } finally {
    await session.close();
  }
  emulator.installStatements(await listModuleStatements(names, vectorDimensions));
}
