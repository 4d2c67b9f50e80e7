import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';

const page = readProjectFile('docs/schema.md');
const blocks = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    (match) => match[1] ?? '',
  );
const lines = blocks('bash')
  .flatMap((block) => block.split('\n'))
  .map((line) => line.replace(/\s+#.*$/, ''))
  .filter((line) => line !== '');

let emulator: Emulator;
beforeAll(async () => {
  emulator = await startEmulator({ ordsPort: 0 });
});
afterAll(() => emulator?.close());

/** The variables that `export` lines set; the address and the credentials are placeholders on the page. */
function exported(line: string): Readonly<Record<string, string>> {
  const given = [...line.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]);
  return Object.fromEntries(given.filter(([name = '']) => !name.startsWith('ORDS_')));
}

describe('docs/schema.md', () => {
  it('shows commands that work, one after the other', async () => {
    const { ordsUrl: ORDS_URL, username: ORDS_USERNAME, password: ORDS_PASSWORD } = emulator;
    let variables: Readonly<Record<string, string>> = { ORDS_URL, ORDS_USERNAME, ORDS_PASSWORD };
    const ran: string[] = [];
    for (const line of lines) {
      if (line.startsWith('export ')) {
        variables = { ...variables, ...exported(line) };
        continue;
      }
      const command = /^npm run schema -- (.+)$/.exec(line)?.[1] ?? `no command: ${line}`;
      let output = '';
      const write = (text: string): void => {
        output += text;
      };
      const code = await runSchemaCommand(command.split(' '), { variables, write });
      expect([line, code, output]).toEqual([line, 0, expect.stringMatching(/\S/)]);
      ran.push(command.split(' ')[0] ?? '');
    }
    expect(new Set(ran)).toEqual(
      new Set(['plan', 'apply', 'status', 'recreate', 'retention', 'sync-index', 'optimize-index']),
    );
  });

  it('names every table', () => {
    const table = page.split('## Tables')[1]?.split('\n## ')[0] ?? '';
    const named = [...table.matchAll(/^\| `(\w+)` \|/gm)].map((match) => match[1] ?? '');
    expect([...named].sort()).toEqual([...tableNames(createSchemaNames())].sort());
  });

  it('shows grants that are Oracle SQL', () => {
    const grants = blocks('sql').flatMap((block) => block.split(';\n').filter((text) => text !== ''));
    expect(grants.length).toBeGreaterThan(2);
    for (const grant of grants) expect([grant, checkOracleGrammar(grant)]).toEqual([grant, []]);
  });

  it('is one page', () => {
    expect(page.split('\n').length).toBeLessThan(160);
  });
});
