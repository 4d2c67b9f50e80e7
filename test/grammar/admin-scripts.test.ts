import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { oracleAgentMemoryTables } from '../import/oracleagentmemory-tables.ts';
import { readSqlclScript } from '../schema/sqlcl-script.ts';
import { checkOracleGrammar } from './oracle-grammar.ts';

const WARM_UP_MILLISECONDS = 120_000;
const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');
const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.sql'));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const variants = [
  { search_strategy: 'vector', embedder: 'openai-compatible', runtime_access: 'tables', prefix: '' },
  { search_strategy: 'hybrid', embedder: 'oracle-database', runtime_access: 'module', prefix: 'SHOP_' },
];

/** A script alone, with the variables that it says it needs. */
function stepsOf(name: string, variant: Readonly<Record<string, string>>) {
  // A size without its unit, which the check does not know.
  const given = { ...variant, quota: '20', runtime_password: 'Secret_1' };
  const settings = name === 'settings.sql' ? '' : read('settings.sql');
  const script = read(name).replace(/^@@(?!row_|drop_row_policies).*$/gm, '');
  return readSqlclScript(`${settings}\n${script}`, { read, given });
}

/** What `EXECUTE IMMEDIATE` and the jobs of a block run: literals that begin with a verb. */
function embeddedStatements(block: string): readonly string[] {
  return [...block.matchAll(/'((?:GRANT|CREATE|BEGIN)\s(?:[^']|'')*)'/g)].map(([, text = '']) =>
    text.replaceAll("''", "'"),
  );
}

describe.each(scripts)('infra/sql/admin/%s', (name) => {
  it.each(variants)(
    'is Oracle SQL and PL/SQL: $search_strategy, $runtime_access',
    (variant) => {
      for (const { kind, text } of stepsOf(name, variant)) {
        if (kind === 'command') continue;
        expect(text).not.toContain('&');
        const texts = kind === 'plsql' ? [text, ...embeddedStatements(text)] : [text];
        for (const each of texts) expect([each, checkOracleGrammar(each)]).toEqual([each, []]);
      }
    },
    WARM_UP_MILLISECONDS,
  );

  it('names only files that are there', () => {
    for (const [, file = ''] of read(name).matchAll(/^@@(\S+)$/gm)) {
      const named = file.replace('&runtime_access.', 'tables').replace('&schema_script', 'settings.sql');
      expect(scripts).toContain(named);
    }
  });

  it('says what it needs and whether it can be run again', () => {
    const [head = ''] = read(name).split('\n\n');
    expect(head).toMatch(/^-- \S/);
  });
});

describe('infra/sql/import-oracleagentmemory.sql', () => {
  it.each([
    { prefix: '', source_prefix: 'AGENT_', take_embeddings: 'yes' },
    { prefix: 'SHOP_', source_prefix: '', take_embeddings: 'no' },
  ])(
    'is Oracle SQL and PL/SQL, and so are the tables that it is tested with: $prefix, $source_prefix',
    (given) => {
      const steps = readSqlclScript(readProjectFile('infra/sql/import-oracleagentmemory.sql'), { given });
      const texts = steps.filter(({ kind }) => kind !== 'command').map(({ text }) => text);
      expect(texts).toHaveLength(9);
      for (const text of [...texts, ...oracleAgentMemoryTables('AGENT_')]) {
        expect(text).not.toContain('&');
        expect([text, checkOracleGrammar(text)]).toEqual([text, []]);
      }
    },
    WARM_UP_MILLISECONDS,
  );
});
