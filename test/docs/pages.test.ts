import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentationPages, PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { renderIncludes } from '../../infra/docs/render-includes.ts';

const LINK = /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g;
const pages = documentationPages();

function scriptsOf(page: string): readonly string[] {
  const commands = [
    ...readProjectFile(page).matchAll(/\bnpm run (?:--silent )?([a-z:-]+)|\bnpm (start|test)\b/g),
  ];
  return commands.map((match) => match[1] ?? match[2] ?? '');
}

describe.each(pages)('%s', (page) => {
  it('shows the examples as they are', () => {
    expect(renderIncludes(readProjectFile(page), readProjectFile)).toBe(readProjectFile(page));
  });

  it('links only to files that exist', () => {
    const links = [...readProjectFile(page).matchAll(LINK)].map((match) => match[1] ?? '');
    expect(links.filter((link) => !existsSync(join(PROJECT_ROOT, dirname(page), link)))).toEqual([]);
  });

  it('lets npm write nothing of its own into a file', () => {
    const lines = readProjectFile(page).split('\n');
    expect(lines.filter((line) => /\bnpm run (?!--silent ).*>/.test(line))).toEqual([]);
  });

  it('names only npm scripts that exist', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(readProjectFile('package.json'));
    expect(scriptsOf(page).filter((script) => !(script in scripts))).toEqual([]);
  });
});
