import { posix } from 'node:path';
import { expect, it } from 'vitest';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import * as client from '../../lib/client/index.ts';
import * as library from '../../lib/index.ts';

/** Names between the braces of a module's imports or exports. */
function namesIn(text: string, keyword: 'import' | 'export'): readonly string[] {
  const lists = [...text.matchAll(new RegExp(`^${keyword}(?: type)? \\{([^}]*)\\}`, 'gm'))];
  return lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim().replace(/^type /, '')));
}

it.each(['agent-memory-api', 'records-api'])('the client gives out every type that %s is made of', (file) => {
  const needed = namesIn(readProjectFile(`lib/schemas/${file}.ts`), 'import');
  const given = namesIn(readProjectFile('lib/client/index.ts'), 'export');
  expect(needed.length).toBeGreaterThan(3);
  expect(needed.filter((name) => !given.includes(name))).toEqual([]);
});

it('the library has all that the client has, the same values', () => {
  const own = Object.entries(client).filter(([name, value]) => Reflect.get(library, name) !== value);
  expect(own).toEqual([]);
});

it('the compiler is given every entry point, and package.json names it', () => {
  const { files }: { files: readonly string[] } = JSON.parse(
    readProjectFile('infra/build/package.tsconfig.json'),
  );
  const { exports }: { exports: Record<string, { readonly default: string }> } = JSON.parse(
    readProjectFile('package.json'),
  );
  const built = files.map((file) => file.replace('../../', './dist/package/').replace(/\.ts$/, '.js'));
  expect(
    Object.values(exports)
      .map((entry) => entry.default)
      .toSorted(),
  ).toEqual(built.toSorted());
});

it('the project finds its own entry points at their sources', () => {
  const { compilerOptions }: { compilerOptions: { paths: Record<string, readonly [string]> } } = JSON.parse(
    readProjectFile('tsconfig.json'),
  );
  const { exports }: { exports: Record<string, { readonly default: string }> } = JSON.parse(
    readProjectFile('package.json'),
  );
  for (const [name, [source]] of Object.entries(compilerOptions.paths)) {
    const entry = exports[name.replace('agent-memory-functions', '.')];
    expect(entry?.default).toBe(source.replace('./', './dist/package/').replace(/\.ts$/, '.js'));
  }
});

/** What an entry point gives out, with the module of each; what is declared in it is left out. */
function exportedFrom(path: string): readonly (readonly [name: string, module: string])[] {
  const text = readProjectFile(path);
  const lists = [...text.matchAll(/^export(?: type)? (\{[^}]*\}|\*) from '([^']+)'/gm)];
  return lists.flatMap(([, list = '', module = '']) => {
    const target = posix.join(posix.dirname(path), module);
    if (list === '*') return exportedFrom(target);
    return namesIn(`export ${list}`, 'export').map((name) => [name, target] as const);
  });
}

it.each([
  'lib/index.ts',
  'lib/testing/index.ts',
  'lib/sql/ords/index.ts',
  'lib/sql/node-oracledb/index.ts',
  'lib/models/openai-compatible/index.ts',
])('%s gives out nothing without a description', (entry) => {
  const exported = exportedFrom(entry);
  expect(exported.length).toBeGreaterThan(2);
  const bare = exported.filter(([name, module]) => {
    const described = new RegExp(
      `\\*/\\nexport (?:type|interface|class|function|async function|const) ${name}\\b`,
    );
    return name !== '' && !described.test(readProjectFile(module));
  });
  expect(bare).toEqual([]);
});

it.each([
  'lib/queue/sqs/sqs-queue.ts',
  'lib/queue/cloudflare-queue/cloudflare-queue.ts',
  'lib/models/tiktoken/tiktoken-tokenizer.ts',
  'infra/schema-migrations.ts',
  'infra/local/models/load-tokenizer.ts',
  'infra/local/oracle/start-emulator.ts',
])('%s describes what it exports', (path) => {
  const text = readProjectFile(path);
  const all = text.match(/^export /gm)?.length ?? 0;
  expect(all).toBeGreaterThan(0);
  expect(text.match(/\*\/\nexport /g)?.length).toBe(all);
});
