import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemoService } from '../../examples/demo-service.ts';
import { PROJECT_ROOT } from '../../infra/docs/documentation-pages.ts';
import type { AppServer } from '../../infra/local/serve-app.ts';

const run = promisify(execFile);
let service: AppServer;
beforeAll(async () => {
  service = await startDemoService();
});
afterAll(() => service.close());

async function output(program: string, parameters: readonly string[]): Promise<string> {
  const env = { ...process.env, BASE: `${service.url}/v1`, AGENT_MEMORY_URL: service.url };
  return (await run(program, [...parameters], { cwd: PROJECT_ROOT, env })).stdout;
}

describe('the examples of the documentation, run as they are shown', () => {
  it('quick-start.sh creates, writes, packs and finds', async () => {
    const answers = await output('bash', ['-e', 'examples/quick-start.sh']);
    expect(answers).toContain('"threadId":"trip"');
    expect(answers).toContain('"status":"completed"');
    expect(answers).toContain('<context_card>');
    expect(answers).toContain('User prefers trains over planes.');
    expect(answers).not.toContain('"code"');
  });

  it('quick-start.ts finds what was said and prints a card', async () => {
    const lines = await output(process.execPath, ['examples/quick-start.ts']);
    expect(lines).toContain('fact User is allergic to peanuts.');
    expect(lines).toContain('guideline Always mention allergens.');
    expect(lines).toContain('</context_card>');
  });

  it('the demo in the background shows jobs at work, the end of the wait, and the same memories', async () => {
    const lines = await output(process.execPath, ['examples/demo.ts', '--background', '--url', service.url]);
    expect(lines).toMatch(/\[\.*#*\.*\] \d+ of \d+ done, \d+ running, \d+ waiting, 0 failed/);
    expect(lines).toContain('the wait is over: every job succeeded');
    expect(lines).toContain('+ fact        User moved to Porto last weekend.');
    expect(lines).toContain('- fact        User lives in Lisbon.  (superseded)');
    expect(lines).toContain('</context_card>');
  });

  it('the demo plays twice in a row on a service that keeps its data', async () => {
    for (const _ of [1, 2]) {
      const lines = await output(process.execPath, ['examples/demo.ts', '--url', service.url]);
      expect(lines).toContain(
        '- fact        User lives in Lisbon.  (superseded)\n  + fact        User moved to Porto',
      );
      expect(lines).toContain('抹茶');
      const [card] = lines.match(/<context_card>[\s\S]*<\/context_card>/) ?? [''];
      expect(card).toContain('<content>User moved to Porto last weekend.</content>');
      expect(card).toContain('5,500 euros');
      expect(card).not.toMatch(/Lisbon|4,000 euros/);
    }
  });
});
