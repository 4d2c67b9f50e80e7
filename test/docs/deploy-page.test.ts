import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { parse } from 'yaml';
import * as z from 'zod';
import { environmentSchema } from '../../functions/runtime/environment-schema.ts';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

const page = readProjectFile('docs/deploy.md');
const blocks = [...page.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, block = '']) => block);
const commands = blocks.join('\n').replaceAll('\\\n', '').split('\n');
const serverless = z
  .looseObject({
    params: z.object({ default: z.record(z.string(), z.unknown()) }),
    functions: z.array(z.unknown()),
    resources: z.looseObject({ Outputs: z.record(z.string(), z.unknown()) }),
  })
  .parse(parse(readProjectFile('serverless.yml'), { merge: true }));
const wrangler = unstable_readConfig({ config: `${PROJECT_ROOT}wrangler.toml` });
const variables = [...Object.keys(environmentSchema.shape), 'SECRETS_MANAGER_SECRET'];

function rows(head: string): readonly (readonly string[])[] {
  const [, table = ''] = page.split(head);
  const lines = table.split('\n').slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe('docs/deploy.md', () => {
  it('shows commands that a shell can read', () => {
    expect(blocks.length).toBeGreaterThan(7);
    for (const block of blocks) {
      expect(() => execFileSync('bash', ['-n'], { input: block, stdio: 'pipe' })).not.toThrow();
    }
  });

  it('stores variables that the configuration reads', () => {
    const stored = commands.flatMap((line) => /^put (service|schema)\/(\w+) /.exec(line)?.[2] ?? []);
    expect(stored.length).toBeGreaterThan(20);
    expect(stored.filter((name) => !variables.includes(name))).toEqual([]);
  });

  it('names the parameters, the defaults, the functions and the output of serverless.yml', () => {
    const documented = rows('| parameter | default | meaning |').map(([names = '', values = '']) => [
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => name),
      values.replaceAll('`', '').replaceAll('–', '').split(', '),
    ]);
    const pairs = documented.flatMap(([names = [], values = []]) =>
      names.map((name, index) => [name, values[index] ?? '']),
    );
    const defaults = Object.entries(serverless.params.default).map(([name, value]) => [name, String(value)]);
    expect(Object.fromEntries(pairs)).toEqual({ ...Object.fromEntries(defaults), concurrency: '' });
    const used = commands.flatMap((line) => [...line.matchAll(/--param="(\w+)=/g)].map(([, name]) => name));
    expect(used.filter((name) => !pairs.some(([known]) => known === name))).toEqual([]);
    const named = serverless.functions.flatMap((each) => Object.keys(Object(each)));
    const invoked = commands.flatMap((line) => /--function (\w+)/.exec(line)?.[1] ?? []);
    expect(invoked.filter((name) => !named.includes(name))).toEqual([]);
    expect(Object.keys(serverless.resources.Outputs)).toEqual(['JobAlarmTopicArn']);
    expect(page).toContain('OutputKey==`JobAlarmTopicArn`');
  });

  it('names every alarm', () => {
    const alarms = [...readProjectFile('serverless.yml').matchAll(/^ {4}(\w+Alarm):$/gm)].map(([, id]) => id);
    expect(rows('| alarm | when | what to do |').map(([name = '']) => name.replaceAll('`', ''))).toEqual(
      alarms,
    );
  });

  it('counts sessions by its formula', () => {
    for (const cells of rows('| choice | HTTP functions, at most |')) {
      const [functions = 0, concurrency = 0, jobs = 0, pool = 0, sessions = 0] = cells.slice(1).map(Number);
      expect((functions * concurrency + jobs) * pool * 2 + 10).toBe(sessions);
      expect(jobs).toBe(Number(serverless.params.default.extractionConcurrency) + 3);
      if (cells[0] === '`functions=operations`')
        expect(ALL_CONTRACTS.length + 2).toBeLessThanOrEqual(functions);
    }
  });

  it('creates the queues and puts the secrets of wrangler.toml', () => {
    const created = commands.flatMap((line) => /queues create (\S+)/.exec(line)?.[1] ?? []);
    const [consumer] = wrangler.queues.consumers ?? [];
    expect(created).toEqual([consumer?.queue, consumer?.dead_letter_queue]);
    const secrets = /for name in ([A-Z_ ]+);/.exec(page)?.[1]?.split(' ') ?? [];
    expect(secrets.filter((name) => !variables.includes(name) || name in wrangler.vars)).toEqual([]);
    const named = readProjectFile('wrangler.toml').split('# Secrets')[1] ?? '';
    expect(secrets.filter((name) => !named.includes(name))).toEqual([]);
  });
});
