import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const IMPORT =
  /(?:^|[\s;])(?:import|export)\s[^'"`;]*?from\s*['"]([^'"]+)['"]|(?:^|[\s;])import\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/g;

export interface SourceFile {
  /** Path from the root of the project, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Project paths for relative imports, package names (with sub-path) for the others. */
  readonly imports: readonly string[];
}

function resolveImport(path: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

function readSource(absolute: string): SourceFile {
  const path = relative(ROOT, absolute).split(sep).join('/');
  const text = readFileSync(absolute, 'utf8');
  const code = text.replaceAll(/^\s*(?:\/\/|\*|\/\*).*$/gm, '');
  const imports = [...code.matchAll(IMPORT)].map((match) =>
    resolveImport(path, match[1] ?? match[2] ?? match[3] ?? ''),
  );
  return { path, text, imports };
}

/** Every TypeScript file below a folder of the project. */
export function sourceFiles(folder: string): readonly SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => readSource(join(entry.parentPath, entry.name)));
}

/** The package of an import that is not relative: `@scope/name` or `name`. */
export function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}
