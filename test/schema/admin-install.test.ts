import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import { runSchemaCommand } from '../../infra/schema-command.ts';
import { createSchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import { readSqlclScript, type ScriptStep } from './sqlcl-script.ts';

const TABLES = tableNames(createSchemaNames()).length;
const FOLDER = join(PROJECT_ROOT, 'infra/sql/admin');

async function printedSchema(): Promise<string> {
  let output = '';
  const write = (text: string): void => {
    output += text;
  };
  const variables = { MEMORY_STORE_ID: 'shop', EMBEDDING_DIMENSION: '8', SEARCH_STRATEGY: 'hybrid' };
  expect(await runSchemaCommand(['plan'], { variables, write })).toBe(0);
  return output;
}

/** Everything that SQLcl does from the first line of a script on. */
async function stepsOf(
  script: string,
  given: Readonly<Record<string, string>>,
): Promise<readonly ScriptStep[]> {
  const schema = await printedSchema();
  const read = (name: string): string =>
    name === 'schema.sql' ? schema : readFileSync(join(FOLDER, name), 'utf8');
  return readSqlclScript(read(script), {
    read,
    given: { prefix: 'SHOP_', runtime_password: 'secret', ...given },
  });
}

/** What stands between one CONNECT and the next. */
function sessionsOf(steps: readonly ScriptStep[]): readonly (readonly ScriptStep[])[] {
  const sessions: ScriptStep[][] = [[]];
  for (const step of steps) {
    if (step.text.startsWith('CONNECT ')) sessions.push([]);
    sessions.at(-1)?.push(step);
  }
  return sessions;
}

describe('install.sql', () => {
  it('makes accounts as the administrator, tables as the owner, and grants as the administrator', async () => {
    const steps = await stepsOf('install.sql', {});
    const [accounts = [], tables = [], grants = [], ...others] = sessionsOf(steps).map((session) =>
      session.map(({ text }) => text),
    );
    expect(others).toEqual([]);
    expect(accounts).toContain('CREATE USER IF NOT EXISTS AGENT_MEMORY NO AUTHENTICATION');
    expect(accounts.join('\n')).toContain('ALTER USER AGENT_MEMORY_RUNTIME IDENTIFIED BY "secret"');
    expect(tables[0]).toBe('CONNECT ADMIN[AGENT_MEMORY]@myadb_low');
    expect(tables.filter((text) => text.startsWith('CREATE TABLE SHOP_MEMORY_'))).toHaveLength(TABLES);
    expect(grants.slice(0, 1)).toEqual(['CONNECT ADMIN@myadb_low']);
    expect(grants).toContain('GRANT SELECT ON AGENT_MEMORY.SHOP_MEMORY_META TO AGENT_MEMORY_RUNTIME');
  });

  it('stops at the first error wherever one would leave something out', async () => {
    const steps = await stepsOf('install.sql', {});
    let stops = false;
    for (const { kind, text } of steps) {
      if (text.startsWith('WHENEVER SQLERROR')) stops = text.includes(' EXIT FAILURE');
      if (kind !== 'command') expect([text, stops]).toEqual([text, !text.includes('DBMS_SCHEDULER')]);
    }
  });

  it('grants no table in module mode', async () => {
    const steps = await stepsOf('install.sql', { runtime_access: 'module' });
    expect(steps.filter(({ text }) => / ON AGENT_MEMORY\.SHOP_MEMORY_\w+ TO /.test(text))).toEqual([]);
    expect(steps.at(-1)?.text).toContain('REVOKE');
  });

  it.each([
    ['vector', 'openai-compatible'],
    ['keyword', 'openai-compatible'],
    ['hybrid', 'oracle-database'],
  ])('gives the owner what the store needs: %s, %s', async (searchStrategy, embedder) => {
    const given = { search_strategy: searchStrategy, embedder };
    const owner = (await stepsOf('create_owner.sql', { ...settings, ...given }))
      .map(({ text }) => text)
      .join('\n');
    expect(owner).toContain(`IF LOWER('${searchStrategy}') IN ('keyword', 'hybrid')`);
    expect(owner).toContain(`IF LOWER('${embedder}') = 'oracle-database'`);
    expect(owner).not.toMatch(/\b(?:ANY|DBA|UNLIMITED TABLESPACE|ADMIN OPTION)\b/);
  });
});

describe('row_isolation.sql', () => {
  it.each(['tables', 'module'])(
    'lets who needs it say whose rows a session sees: %s',
    async (runtimeAccess) => {
      const steps = (await stepsOf('row_isolation.sql', { runtime_access: runtimeAccess })).map(
        ({ text }) => text,
      );
      const granted = steps.findIndex((text) => text.startsWith('GRANT EXECUTE'));
      expect(steps[granted]).toBe(
        'GRANT EXECUTE ON AGENT_MEMORY_POLICY.SHOP_MEMORY_ROW_ACCESS TO AGENT_MEMORY',
      );
      expect(steps.filter((text) => text.includes('DBMS_RLS.ADD_POLICY'))).toHaveLength(TABLES - 1);
      expect(steps.at(-1)).toContain(`IF LOWER('${runtimeAccess}') = 'tables' THEN`);
    },
  );
});

const settings = {
  ...{ owner: 'AGENT_MEMORY', deployer: 'ADMIN', tablespace: 'DATA', quota: '1G' },
  ...{ runtime: 'AGENT_MEMORY_RUNTIME' },
};
