import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';
import { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { type AppServer, serveApp } from '../../infra/local/serve-app.ts';
import { type ApiFixture, startApi } from '../api/api-fixture.ts';
import {
  checkTypes,
  type InstalledProject,
  installProject,
  type PackedPackage,
  packPackage,
} from './installed-project.ts';

const PROJECTS = 'test/package/projects';
const CLIENT_PROGRAM = `${PROJECTS}/client-program.ts`;
const {
  exports: ENTRIES,
}: { exports: Record<string, { readonly types: string; readonly default: string }> } = JSON.parse(
  readProjectFile('package.json'),
);
const NODENEXT = { module: 'nodenext' };
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' };
/** For files that import others of their project with their endings; the package needs no such setting. */
const WITH_ENDINGS = { ...BUNDLER, allowImportingTsExtensions: true };

const expected = (userId: string) => ({
  found: 'I like green tea.',
  card: true,
  threads: [`${userId}/日本`],
  code: 'not_found',
  deleted: 1,
});

let api: ApiFixture;
let server: AppServer;
let packed: PackedPackage;
beforeAll(async () => {
  [api, packed] = await Promise.all([startApi(), packPackage()]);
  server = await serveApp(api.app, '127.0.0.1', 0);
}, 120_000);
afterAll(async () => {
  await server?.close();
  await api?.close();
  await packed?.remove();
});

describe('the tarball', () => {
  it('has every entry point with its declarations', () => {
    const paths = Object.values(ENTRIES).flatMap((entry) => [entry.types, entry.default]);
    expect(paths.filter((path) => !packed.files.includes(path.replace('./', '')))).toEqual([]);
  });

  it('has what its modules read, and nothing of the service, the tests or the sources', () => {
    expect(packed.files).toContain('dist/package/infra/sql/001_create_memory_store.sql');
    expect(packed.files).toContain('dist/package/infra/local/models/word-table.bin');
    const others = packed.files.filter(
      (path) => !/^(dist\/package\/|package\.json$|[A-Z]+(\.md)?$)/.test(path),
    );
    expect(others).toEqual([]);
    expect(
      packed.files.filter((path) =>
        /(?<!\.d)\.ts$|\.test\.|^dist\/package\/functions\/(?!runtime\/emulated-model)/.test(path),
      ),
    ).toEqual([]);
  });
});

describe('an empty Node project', () => {
  let project: InstalledProject;
  beforeAll(async () => {
    project = await installProject(
      packed,
      [
        CLIENT_PROGRAM,
        `${PROJECTS}/run-client.mjs`,
        `${PROJECTS}/direct-connection.ts`,
        'examples/library.ts',
      ],
      [
        'tiktoken',
        'hono',
        '@hono/node-server',
        'oracledb',
        '@electric-sql/pglite',
        '@electric-sql/pglite-pgvector',
        '@types/oracledb',
      ],
    );
  }, 60_000);

  it.each([
    ['nodenext', NODENEXT],
    ['bundler', BUNDLER],
  ])('finds its types with the resolution %s', async (_, options) => {
    const files = ['client-program.ts', 'direct-connection.ts', 'library.ts'];
    expect(
      await project.check(files, { ...options, types: ['node'], lib: ['es2024', 'dom', 'dom.iterable'] }),
    ).toBe('');
  });

  it('calls a running service', async () => {
    const printed = await project.run('run-client.mjs', { AGENT_MEMORY_URL: server.url });
    expect(JSON.parse(printed)).toEqual(expected('node'));
  });

  it('opens the library over an emulator, as the documentation shows', async () => {
    const printed = await project.run('library.ts');
    expect(printed).toContain('preference User prefers trains over planes.');
    expect(printed).toContain('fact User lives in Porto.');
    expect(printed).toContain('<context_card>');
  });

  it('opens the library over a direct connection with the driver that it brings', async () => {
    expect(JSON.parse(await project.run('direct-connection.ts'))).toEqual(['a green kettle']);
  });
});

describe('the client', () => {
  it.each([
    ['a Worker', ['webworker', 'webworker.iterable']],
    ['a browser', ['dom', 'dom.iterable']],
  ])('uses nothing but what %s has too', async (_, library) => {
    const directory = await mkdtemp(join(packed.tarball, '..', 'client-'));
    const source = join(PROJECT_ROOT, 'lib/client/index.ts');
    expect(await checkTypes(directory, [source], { ...WITH_ENDINGS, lib: ['es2024', ...library] })).toBe('');
  });
});

describe('an empty Worker project', () => {
  let project: InstalledProject;
  beforeAll(async () => {
    project = await installProject(packed, [CLIENT_PROGRAM, `${PROJECTS}/worker.ts`]);
  }, 60_000);

  it("finds its types without those of Node or of a browser's page", async () => {
    const options = { ...WITH_ENDINGS, lib: ['es2024', 'webworker', 'webworker.iterable'] };
    expect(await project.check(['worker.ts'], options)).toBe('');
  });

  it('bundles the library and SQL over ORDS with nothing but zod, too', async () => {
    const { metafile } = await build({
      stdin: {
        contents: "export * from 'agent-memory-functions'; export * from 'agent-memory-functions/ords';",
        resolveDir: project.directory,
      },
      absWorkingDir: project.directory,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      metafile: true,
    });
    const foreign = Object.keys(metafile.inputs).filter(
      (path) => !/^<stdin>$|agent-memory-functions\/dist\/package\/lib\/|\/zod\//.test(path),
    );
    expect(foreign).toEqual([]);
  });

  it('bundles the client with nothing but zod, and calls a service from workerd', async () => {
    const outfile = join(project.directory, 'worker.js');
    const { metafile } = await build({
      absWorkingDir: project.directory,
      entryPoints: ['worker.ts'],
      outfile,
      bundle: true,
      format: 'esm',
      platform: 'neutral',
      mainFields: ['module', 'main'],
      metafile: true,
    });
    const foreign = Object.keys(metafile.inputs).filter(
      (path) =>
        !/(^worker|^client-program)\.ts$|agent-memory-functions\/dist\/package\/lib\/(?:(?:client|schemas|errors)\/|[\w-]+\.js$)|\/zod\//.test(
          path,
        ),
    );
    expect(foreign).toEqual([]);
    const contents = await readFile(outfile, 'utf8');
    const worker = new Miniflare({
      cf: false,
      telemetry: { enabled: false },
      workers: [
        {
          config: {
            name: 'user-project',
            compatibilityDate: '2026-01-01',
            compatibilityFlags: [],
            manifest: { mainModule: 'worker.js', modules: { 'worker.js': { type: 'esm', contents } } },
            env: {},
            triggers: [],
          },
        },
      ],
    });
    const url = new URL('/', await worker.ready);
    url.searchParams.set('service', server.url);
    const answer = await fetch(url);
    const text = await answer.text();
    await worker.dispose();
    expect(text).toBe(JSON.stringify(expected('worker')));
  });
});
