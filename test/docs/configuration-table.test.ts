import { expect, it } from 'vitest';
import { environmentSchema } from '../../functions/runtime/environment-schema.ts';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';

it('the README has every environment variable in its table, and no other', () => {
  const table = readProjectFile('README.md').split('## Configuration')[1]?.split('\n## ')[0] ?? '';
  const firstCells = [...table.matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \|/gm)].map((row) => row[1] ?? '');
  const documented = firstCells.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map((name) => name[1]));
  expect(documented.sort()).toEqual(Object.keys(environmentSchema.shape).sort());
});
