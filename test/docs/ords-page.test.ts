import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { MODULE_NUMBERS } from '../../lib/sql/oracle-error.ts';
import { MODULE_PATH } from '../../lib/sql/ords/module-wire.ts';

const page = readProjectFile('docs/ords.md');
const settings = readProjectFile('infra/ords/settings.sql');
const commands = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].flatMap(([, block = '']) => block.split('\n'));

it('runs scripts that are there, or that a command before printed', () => {
  let folder = '';
  const printed = new Set<string>();
  const scripts: string[] = [];
  for (const line of commands) {
    folder = /^cd (\S+)$/.exec(line)?.[1] ?? folder;
    const [, output] = / > (\S+)$/.exec(line) ?? [];
    if (output !== undefined) printed.add(output);
    const [, script] = /^sql .* @(\S+)$/.exec(line) ?? [];
    if (script !== undefined) scripts.push(`${folder}/${script}`);
  }
  expect(scripts.length).toBeGreaterThan(7);
  const missing = scripts.filter((name) => !printed.has(name) && !existsSync(join(PROJECT_ROOT, name)));
  expect(missing).toEqual([]);
});

it('shows commands for the schema that print what they say', async () => {
  const shown = [...page.matchAll(/npm run (?:--silent )?schema -- (module(?: --[a-z-]+)*)/g)].map(
    ([, command = '']) => command,
  );
  expect(new Set(shown)).toEqual(new Set(['module', 'module --remove-old']));
  for (const command of new Set(shown)) {
    let output = '';
    const variables = { MEMORY_STORE_ID: 'shop', SEARCH_STRATEGY: 'hybrid', EMBEDDING_DIMENSION: '1536' };
    const write = (text: string): void => {
      output += text;
    };
    expect(await runSchemaCommand(command.split(' '), { variables, write })).toBe(0);
    expect(output).toContain('SHOP_MEMORY_STATEMENT');
  }
});

it('says what scripts, module and client are called', () => {
  expect(page).toContain(`${MODULE_PATH}/call/{name}/{hash}`);
  expect(page).toContain(`ORA-${MODULE_NUMBERS.notInstalled}`);
  expect(readProjectFile('infra/ords/define_module.sql')).toContain(`p_base_path => '/${MODULE_PATH}/'`);
  const alias = /^DEFINE ords_alias = (\S+)$/m.exec(settings)?.[1];
  expect(page).toContain(`ORDS_URL=https://host/ords/${alias}\n`);
  const seconds = /^DEFINE token_seconds = (\d+)$/m.exec(settings)?.[1];
  expect(page).toContain(`Tokens live ${seconds} seconds`);
});
