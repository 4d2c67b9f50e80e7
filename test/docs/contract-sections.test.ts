import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';

/** A string that names sections of the contract: `… (contract §4.5, §11)`. */
const REFERENCE = /contract (§[\d.]+\d|D\d+)(?:, (?:§[\d.]+\d|D\d+))*/g;

/** Sections that the titles of each test file name; comments do not count. */
function readNamedSections(): ReadonlyMap<string, ReadonlySet<string>> {
  const directory = join(PROJECT_ROOT, 'test');
  const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  return new Map(
    files.map((file) => {
      const code = readFileSync(join(directory, file), 'utf8').replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
      const sections = [...code.matchAll(REFERENCE)].flatMap(([text]) => text.match(/§[\d.]+\d/g) ?? []);
      return [basename(file, '.ts'), new Set(sections)] as const;
    }),
  );
}

/** Rows of the table by section: the tests that it names. */
function readTable(): readonly (readonly [string, readonly string[]])[] {
  const page = readFileSync(join(PROJECT_ROOT, 'docs/testing.md'), 'utf8');
  const rows = page.matchAll(/^\| (§[\d.]+) \|[^|]*\|([^|]*)\|$/gm);
  return [...rows].map(([, section = '', tests = '']) => [section, tests.match(/(?<=`)[\w.-]+(?=`)/g) ?? []]);
}

const named = readNamedSections();
const table = readTable();

it.each(table)(
  '%s is named by the tests that docs/testing.md lists, one of them for every target',
  (section, tests) => {
    const silent = tests.filter((test) => named.get(test)?.has(section) !== true);
    expect(silent).toEqual([]);
    expect(tests.filter((test) => /^memory-.*-cases$/.test(test))).not.toEqual([]);
  },
);

it('docs/testing.md lists every section of threads, extraction and cards that a test names', () => {
  const sections = new Set([...named.values()].flatMap((each) => [...each]));
  const listed = new Set(table.map(([section]) => section));
  expect([...sections].filter((section) => /^§[489]\./.test(section) && !listed.has(section))).toEqual([]);
});
