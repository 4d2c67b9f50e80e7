import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { checkOracleGrammar } from '../grammar/oracle-grammar.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';
import { everyRuntimeStatement, tableUses } from '../schema/table-uses.ts';

const WARM_UP_MILLISECONDS = 120_000;
const PAGES = ['docs/oracle.md', 'docs/row-isolation.md'] as const;
const page = readProjectFile('docs/oracle.md');

function blocks(text: string, language: string): readonly string[] {
  const found = text.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'));
  return [...found].map((match) => match[1] ?? '');
}

/** What the words that a user gives for the database are here. */
function variablesOf({ connectString = '', username, password }: Emulator): Readonly<Record<string, string>> {
  return { ORACLE_CONNECT_STRING: connectString, ORACLE_USER: username, ORACLE_PASSWORD: password };
}

describe('docs/oracle.md', () => {
  let emulator: Emulator;
  beforeAll(async () => {
    emulator = await startEmulator({ tnsPort: 0 });
  });
  afterAll(() => emulator?.close());

  it('shows commands for the schema that work, one after the other, over a direct connection', async () => {
    let variables: Readonly<Record<string, string>> = {};
    const ran: string[] = [];
    for (const line of blocks(page, 'bash').flatMap((block) => block.split('\n'))) {
      if (line.startsWith('export ')) {
        const given = [...line.matchAll(/(\w+)=('[^']*'|\S+)/g)].map(([, name = '', value = '']) => [
          name,
          value,
        ]);
        variables = { ...variables, ...Object.fromEntries(given), ...variablesOf(emulator) };
      }
      const [, command] = /^npm run (?:--silent )?schema -- ([^>]+)/.exec(line) ?? [];
      if (command === undefined) continue;
      const { ORACLE_WALLET: _wallet, ...others } = variables;
      let output = '';
      const write = (text: string): void => {
        output += text;
      };
      const code = await runSchemaCommand(command.trim().split(' '), { variables: others, write });
      expect([line, code, output]).toEqual([line, 0, expect.stringMatching(/\S/)]);
      ran.push(command.trim());
    }
    expect(ran).toEqual(['plan', 'apply', 'status', 'status']);
  });

  it('says of every group of statements what it does to which table', async () => {
    const done = new Map<string, Set<string>>();
    for (const { name, sql } of await everyRuntimeStatement()) {
      const group = name.split('.')[0] ?? '';
      for (const use of tableUses(sql)) done.set(group, (done.get(group) ?? new Set()).add(use));
    }
    const rows = [...page.matchAll(/^\| ((?:`[a-z]+`(?:, )?)+) \|(.*)\|$/gm)];
    const head = /^\| statements \|(.*)\|$/m.exec(page)?.[1] ?? '';
    const tables = head.split('|').map((table) => `MEMORY_${table.trim()}`);
    const said = rows.flatMap(([, groups = '', cells = '']) =>
      [...groups.matchAll(/`(\w+)`/g)].map(([, group = '']) => [group, usesOf(tables, cells)] as const),
    );
    expect(Object.fromEntries(said)).toEqual(
      Object.fromEntries([...done].map(([group, uses]) => [group, [...uses].toSorted()])),
    );
  });
});

const VERBS: Readonly<Record<string, string>> = { S: 'SELECT', I: 'INSERT', U: 'UPDATE', D: 'DELETE' };

function usesOf(tables: readonly string[], cells: string): readonly string[] {
  return cells
    .split('|')
    .flatMap((cell, index) => [...cell.trim()].map((letter) => `${tables[index]} ${VERBS[letter]}`))
    .toSorted();
}

describe.each(PAGES)('%s', (name) => {
  const text = readProjectFile(name);

  it('shows commands that a shell can read', () => {
    for (const block of blocks(text, 'bash')) {
      expect(() =>
        execFileSync('bash', ['-n'], { input: block, stdio: ['pipe', 'pipe', 'pipe'] }),
      ).not.toThrow();
    }
  });

  it(
    'shows Oracle SQL and PL/SQL',
    () => {
      const inShell = blocks(text, 'bash').flatMap((block) =>
        [...block.matchAll(/<<'SQL'\n([\s\S]*?)\nSQL\n/g)].map(([, script = '']) => script),
      );
      for (const script of [...blocks(text, 'sql'), ...inShell]) {
        for (const { kind, text: statement } of readSqlclScript(script)) {
          if (kind !== 'command') expect([statement, checkOracleGrammar(statement)]).toEqual([statement, []]);
        }
      }
    },
    WARM_UP_MILLISECONDS,
  );

  it('names scripts that are there', () => {
    const scripts = [...text.matchAll(/`(?:infra\/sql\/admin\/)?(\w+\.sql)`/g)].map(([, file]) => file ?? '');
    expect(scripts.filter((file) => !existsSync(join(PROJECT_ROOT, 'infra/sql/admin', file)))).toEqual([]);
  });
});
