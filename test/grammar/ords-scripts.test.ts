import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import { renderModuleScript, renderRemovalScript } from '../../infra/ords/render-module-script.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { sampleStatements } from '../ords/sample-statements.ts';
import { readSqlclScript, type ScriptStep } from '../schema/sqlcl-script.ts';
import { checkOracleGrammar } from './oracle-grammar.ts';

/** The package is the longest text that the parser builds its tables for. */
const WARM_UP_MILLISECONDS = 300_000;
const FOLDER = join(PROJECT_ROOT, 'infra/ords');
/** Parts of the generated script, which is read as a whole. */
const PARTS = [
  'statement_table.sql',
  'call_package.sql',
  'verify_call_package.sql',
  'verify_statements.sql',
  'metadata_matches.sql',
];
const scripts = readdirSync(FOLDER).filter((name) => name.endsWith('.sql') && !PARTS.includes(name));
const read = (name: string): string => readFileSync(join(FOLDER, name), 'utf8');
const names = createSchemaNames({ memoryStoreId: 'shop' });

function expectOracle(steps: readonly ScriptStep[]): void {
  for (const { kind, text } of steps) {
    if (kind === 'command') continue;
    expect(text).not.toContain('&');
    expect([text, checkOracleGrammar(text)]).toEqual([text, []]);
  }
}

describe('what npm run schema -- module prints', () => {
  it.each([false, true])(
    'is Oracle SQL and PL/SQL, row isolation %s',
    async (hasRowIsolation) => {
      const statements = await sampleStatements();
      const options = { names, statements, runtimeUser: 'AGENT_MEMORY_RUNTIME', hasRowIsolation };
      expectOracle(readSqlclScript(renderModuleScript(options)));
      expectOracle(readSqlclScript(renderRemovalScript(names, statements)));
    },
    WARM_UP_MILLISECONDS,
  );
});

describe.each(scripts)('infra/ords/%s', (name) => {
  it(
    'is Oracle SQL and PL/SQL',
    () => {
      const head = name.startsWith('print_') ? '@@settings.sql\n' : '';
      expectOracle(readSqlclScript(head + read(name), { read }));
    },
    WARM_UP_MILLISECONDS,
  );

  it('defines a handler that is a block', () => {
    const handlers = readSqlclScript(name === 'define_module.sql' ? read(name) : '', { read }).flatMap(
      ({ text }) => /p_source => q'\[([\s\S]*)\]'/.exec(text)?.[1] ?? [],
    );
    expect(handlers).toHaveLength(name === 'define_module.sql' ? 1 : 0);
    for (const handler of handlers) expect(checkOracleGrammar(handler)).toEqual([]);
  });

  it('says how it is run', () => {
    expect(read(name)).toMatch(/^-- \S/);
  });
});
