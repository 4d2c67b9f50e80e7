import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Root of the project. */
export const PROJECT_ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Reads a file of the project by its path from the root. */
export function readProjectFile(path: string): string {
  return readFileSync(`${PROJECT_ROOT}${path}`, 'utf8');
}

/** Every page of the documentation, by its path from the root. */
export function documentationPages(): readonly string[] {
  return ['README.md', ...globSync('docs/**/*.md', { cwd: PROJECT_ROOT }).sort()];
}
