import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Files that modules of the package read beside themselves. */
const ASSETS = ['infra/sql/*.sql', 'infra/local/oracle/translate/prelude/*.sql', 'infra/local/models/*.bin'];

/**
 * Builds what the package publishes into `directory`: ES modules with their declarations, in the folders of the project,
 * and the files that they read. `exports` of package.json names the entry points; `package.tsconfig.json` lists them.
 */
export async function buildPackage(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true });
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const project = fileURLToPath(new URL('package.tsconfig.json', import.meta.url));
  await promisify(execFile)(process.execPath, [compiler, '-p', project, '--outDir', directory], {
    cwd: ROOT,
  });
  for (const path of globSync(ASSETS, { cwd: ROOT })) await cp(join(ROOT, path), join(directory, path));
}
