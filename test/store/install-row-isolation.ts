import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import type { OracleEngine } from '../../infra/local/oracle/engine/oracle-engine.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';

const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');
const SCRIPTS = [
  'settings.sql',
  'row_access_procedure.sql',
  'row_predicate_function.sql',
  'add_row_policies.sql',
];
/** The emulator has one schema, so the owners of objects are all the same and are not written. */
const OWNER = 'AGENT_MEMORY';

/** Runs the scripts for row isolation in the emulator, as `row_isolation.sql` does on Oracle; grants are beyond it. */
export async function installRowIsolation(engine: OracleEngine, prefix: string): Promise<void> {
  const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
  const given = { owner: OWNER, policy_admin: OWNER, runtime: OWNER, prefix };
  const session = engine.openSession();
  for (const { kind, text } of readSqlclScript(SCRIPTS.map(read).join('\n'), { read, given })) {
    if (kind !== 'command') await session.execute(text.replaceAll(`${OWNER}.`, ''), []);
  }
  await session.close();
}
