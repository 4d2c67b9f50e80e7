import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { buildPackage } from '../../infra/build/build-package.ts';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';

const run = promisify(execFile);
const MODULES = join(PROJECT_ROOT, 'node_modules');

/** A package as npm would publish it. */
export interface PackedPackage {
  readonly tarball: string;
  /** Paths in it. */
  readonly files: readonly string[];
  remove(): Promise<void>;
}

/** Builds the package and packs it with the project's own manifest, in a directory of its own. */
export async function packPackage(): Promise<PackedPackage> {
  const directory = await realpath(await mkdtemp(join(tmpdir(), 'package-')));
  for (const name of ['package.json', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    await cp(join(PROJECT_ROOT, name), join(directory, name));
  }
  await buildPackage(join(directory, 'dist/package'));
  const { stdout } = await npm(['pack', '--json', '--ignore-scripts'], directory);
  const listed = JSON.parse(stdout);
  const [packed] = Array.isArray(listed) ? listed : Object.values(listed);
  return {
    tarball: join(directory, packed.filename),
    files: packed.files.map(({ path }: { readonly path: string }) => path),
    remove: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A project of a user that has installed the package. */
export interface InstalledProject {
  readonly directory: string;
  /** Checks the files with the compiler and returns what it says: nothing when all is well. */
  check(files: readonly string[], options: Readonly<Record<string, unknown>>): Promise<string>;
  /** Runs a file of the project with Node and returns what it prints. */
  run(file: string, variables?: Readonly<Record<string, string>>): Promise<string>;
}

/**
 * Installs the package into an empty project. Zod and the peers that the project wants are links to those of this project,
 * so that no network is needed; everything else is what the tarball brings.
 */
export async function installProject(
  { tarball }: PackedPackage,
  sources: readonly string[],
  peers: readonly string[] = [],
): Promise<InstalledProject> {
  const directory = await mkdtemp(join(tarball, '..', 'project-'));
  const manifest = {
    name: 'user-project',
    type: 'module',
    private: true,
    dependencies: { 'agent-memory-functions': `file:${tarball}`, zod: `file:${join(MODULES, 'zod')}` },
  };
  await writeFile(join(directory, 'package.json'), JSON.stringify(manifest));
  for (const source of sources) await cp(join(PROJECT_ROOT, source), join(directory, basename(source)));
  await npm(['install', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], directory);
  for (const name of peers) await link(join(MODULES, name), join(directory, 'node_modules', name));
  return {
    directory,
    check: (files, options) => checkTypes(directory, files, options),
    async run(file, variables = {}) {
      const env = { PATH: process.env.PATH ?? '', ...variables };
      return (await run(process.execPath, [file], { cwd: directory, env })).stdout;
    },
  };
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path, 'dir');
}

/** Checks files with the compiler, from a directory of their own, and returns what it says. */
export async function checkTypes(
  directory: string,
  files: readonly string[],
  options: Readonly<Record<string, unknown>>,
): Promise<string> {
  const configuration = join(directory, 'tsconfig.json');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    typeRoots: [join(MODULES, '@types')],
    types: [],
    ...options,
  };
  await writeFile(configuration, JSON.stringify({ compilerOptions, files }));
  try {
    await run(process.execPath, [join(MODULES, 'typescript/bin/tsc'), '-p', configuration], {
      cwd: directory,
    });
    return '';
  } catch (error) {
    return String(Reflect.get(Object(error), 'stdout'));
  }
}

async function npm(parameters: readonly string[], cwd: string): Promise<{ readonly stdout: string }> {
  return run('npm', [...parameters], { cwd, env: { ...process.env, npm_config_loglevel: 'error' } });
}
