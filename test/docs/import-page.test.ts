import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoService } from '../../examples/demo-service.ts';
import { PROJECT_ROOT, readProjectFile } from '../../infra/docs/documentation-pages.ts';
import { IMPORT_COMMAND_USAGE, runImportCommand } from '../../infra/import-command.ts';
import type { AppServer } from '../../infra/local/serve-app.ts';

const run = promisify(execFile);
const page = readProjectFile('docs/import.md');
const block = (language: string, index = 0): string =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))][index]?.[1] ?? '';

let service: AppServer;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service?.close());

describe('docs/import.md', () => {
  it('shows commands that work, and what they print', async () => {
    const outputs: string[] = [];
    for (const line of block('bash').trim().split('\n')) {
      const given = /^npm run import -- (.+)$/.exec(line)?.[1]?.split(' ') ?? [];
      let output = '';
      const write = (text: string): void => {
        output += text;
      };
      const code = await runImportCommand(given, { variables: { AGENT_MEMORY_URL: service.url }, write });
      expect([line, code]).toEqual([line, 0]);
      outputs.push(output);
    }
    expect(outputs).toHaveLength(3);
    expect(outputs[1]).toBe(block('text'));
    expect(outputs[2]).toContain('messages: 2 added');
  });

  it('shows how every record is embedded', async () => {
    const [program = '', ...parameters] = block('bash', 1).trim().split(' ');
    expect(program).toBe('node');
    const env = { ...process.env, AGENT_MEMORY_URL: service.url };
    const { stdout } = await run(process.execPath, parameters, { cwd: PROJECT_ROOT, env });
    expect(stdout.trim().split('\n')).toEqual([
      'message: 2 embedded',
      'memory: 3 embedded',
      'fact: 1 embedded',
      'preference: 0 embedded',
      'guideline: 0 embedded',
      'user_profile: 1 embedded',
      'agent_profile: 0 embedded',
    ]);
  });

  it('names every option of the command', () => {
    const options = [...IMPORT_COMMAND_USAGE.matchAll(/^ {2}(--[a-z-]+)/gm)].map(([, option]) => option);
    expect(options.length).toBeGreaterThan(4);
    for (const option of options) expect(page).toContain(`| \`${option}\` |`);
  });

  it('names every table and column of the SDK that the script leaves out or takes', () => {
    for (const name of [
      'THREAD',
      'MESSAGE',
      'MEMORY',
      'ACTOR_PROFILE',
      'RECORD_CHUNKS',
      'TIMESTAMP',
      'SPACE_ID',
    ]) {
      expect(page).toMatch(new RegExp(`^\\| \`${name}\` \\|`, 'm'));
    }
  });
});
