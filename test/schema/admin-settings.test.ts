import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';

const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');
const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');

/** Conditions on texts that are made of settings, as `WHERE` and `IF` have them. */
function comparisons(script: string): readonly string[] {
  const conditions = script.match(/\b(?:WHERE|IF)\b[^;]*?(?=\bTHEN\b|\bLOOP\b|;)/g) ?? [];
  return conditions.filter((condition) => /'&\w+\./.test(condition));
}

describe('settings in small or in capital letters, as SQL takes names', () => {
  const found = scripts.flatMap((name) => comparisons(read(name)).map((text) => [name, text] as const));

  it.each(found)('are the same to %s: %s', (_name, condition) => {
    const texts = condition.match(/(?:\w+\()?'&\w+\.[^']*'/g) ?? [];
    expect(texts.filter((text) => !/^(?:UPPER|LOWER)\(/.test(text))).toEqual([]);
  });

  it('are compared', () => {
    expect(found.length).toBeGreaterThan(9);
  });
});

it('shows no password: SQLcl prints a statement with the values of its variables unless told otherwise', () => {
  const withSecrets = scripts.filter((name) => /\bHIDE$/m.test(read(name)));
  expect(withSecrets).toEqual(['create_runtime.sql']);
  for (const name of withSecrets) expect(read(name)).toMatch(/^SET VERIFY OFF$[\s\S]*\bHIDE$/m);
});
