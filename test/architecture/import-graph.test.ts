import { describe, expect, it } from 'vitest';
import { packageOf, type SourceFile, sourceFiles } from './source-imports.ts';

/** What each layer may import (docs/architecture.md): project folders first, then packages. */
const LAYERS: Readonly<
  Record<string, { readonly folders: readonly string[]; readonly packages: readonly string[] }>
> = {
  'lib/errors': { folders: [], packages: [] },
  'lib/schemas': { folders: ['lib/errors'], packages: ['zod'] },
  'lib/sql': { folders: ['lib/errors'], packages: ['zod'] },
  'lib/schema': { folders: ['lib/errors', 'lib/sql'], packages: ['zod'] },
  'lib/models': {
    folders: ['lib/errors'],
    packages: ['@ai-sdk/openai-compatible', 'tiktoken', 'zod'],
  },
  'lib/queue': { folders: ['lib/errors'], packages: ['@aws-sdk/client-sqs', 'aws4fetch', 'zod'] },
  'lib/store': { folders: ['lib/errors', 'lib/schemas', 'lib/sql', 'lib/schema'], packages: [] },
  'lib/memory': {
    folders: ['lib/errors', 'lib/schemas', 'lib/models', 'lib/queue', 'lib/store', 'lib/schema', 'lib/sql'],
    packages: ['zod'],
  },
  'lib/client': { folders: ['lib/errors', 'lib/schemas'], packages: ['zod'] },
  'lib/testing': {
    folders: ['lib/errors', 'lib/models', 'lib/memory', 'lib/queue', 'lib/schemas', 'lib/store'],
    packages: [],
  },
  functions: {
    folders: ['lib'],
    packages: [
      '@modelcontextprotocol/server',
      '@opentelemetry/api',
      '@scalar/hono-api-reference',
      'aws4fetch',
      'hono',
      'jose',
      'zod',
      'tiktoken',
      'oracledb',
      'node:buffer',
      'node:fs',
      'node:path',
    ],
  },
};

/** Of no layer: what needs nothing and serves any of them. */
const FREE_FILES = ['lib/clock.ts', 'lib/sha-256.ts'];
/** What the package gives out under its own name; nothing of the project imports it. */
const MAIN_ENTRY = 'lib/index.ts';

const within = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

function violations(folder: string): readonly string[] {
  const layer = LAYERS[folder];
  if (layer === undefined) return [`${folder} has no rule`];
  const allowed = [folder, ...FREE_FILES, ...layer.folders];
  return sourceFiles(folder).flatMap((file) =>
    file.imports
      .filter((target) => !allowed.some((path) => within(target, path)))
      .filter((target) => !layer.packages.includes(packageOf(target)))
      .map((target) => `${file.path} imports ${target}`),
  );
}

const source = [...sourceFiles('lib'), ...sourceFiles('functions'), ...sourceFiles('infra')];

function paths(files: readonly SourceFile[]): readonly string[] {
  return files.map((file) => file.path);
}

describe('the import graph', () => {
  it.each(Object.keys(LAYERS))('%s imports only what its layer may', (folder) => {
    expect(violations(folder)).toEqual([]);
  });

  it('has a rule for every folder of lib', () => {
    const folders = new Set(sourceFiles('lib').map((file) => file.path.split('/').slice(0, 2).join('/')));
    expect([...folders].filter((folder) => !(folder in LAYERS)).toSorted()).toEqual(
      [...FREE_FILES, MAIN_ENTRY].toSorted(),
    );
  });

  it('reads the environment only in composition roots', () => {
    const readers = source.filter((file) => /process\s*\.\s*env|from 'node:process'/.test(file.text));
    const roots = readers.filter((file) => !/^(functions\/runtime|infra)\//.test(file.path));
    expect(paths(roots)).toEqual([]);
  });

  it('imports the Oracle driver in one place, and there only when it is used', () => {
    const users = source.filter((file) => file.imports.includes('oracledb'));
    expect(paths(users)).toEqual(['functions/runtime/open-thin-transport.ts']);
    expect(users.filter(({ text }) => /from 'oracledb'/.test(text))).toEqual([]);
  });

  it('imports hono only at the HTTP edge', () => {
    const users = source.filter((file) => file.imports.some((target) => /^(hono|@hono\/)/.test(target)));
    expect(paths(users.filter((file) => !/^(functions|infra)\//.test(file.path)))).toEqual([]);
  });

  it('carries the examples of operations in the OpenAPI document alone', () => {
    const isExample = (path: string) => within(path, 'functions/openapi-examples');
    const users = source.filter((file) => !isExample(file.path) && file.imports.some(isExample));
    expect(paths(users)).toEqual(['functions/service/openapi-document.ts']);
  });

  it('imports zod as a namespace, which bundles to a fraction', () => {
    const named = source.filter((file) => /import\s*(?:type\s*)?\{[^}]*\}\s*from 'zod'/.test(file.text));
    expect(paths(named)).toEqual([]);
  });

  it('imports no barrel that is there for users of the package', () => {
    const users = source.filter((file) => file.imports.includes(MAIN_ENTRY));
    expect(paths(users)).toEqual([]);
  });

  it('names no dumping grounds', () => {
    const names = source.filter((file) => /(^|\/)(utils?|helpers?|common|misc)(\.ts|\/)/.test(file.path));
    expect(paths(names)).toEqual([]);
  });
});
