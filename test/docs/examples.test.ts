import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
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

/** The service at an address whose first connections for messages are cut, as those to a process that is killed are. */
async function unsteadyAddress(cuts: number): Promise<string> {
  let count = 0;
  const proxy = createServer((incoming, outgoing) => {
    const { method, headers, url = '' } = incoming;
    if (url.endsWith('/messages')) count += 1;
    if (url.endsWith('/messages') && count <= cuts) return void incoming.socket.destroy();
    const forwarded = request(service.url + url, { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(forwarded);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const address = proxy.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return `http://127.0.0.1:${address.port}`;
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

  it('the demo in the background goes on when the service is away for a while', async () => {
    const url = await unsteadyAddress(6);
    const lines = await output(process.execPath, ['examples/demo.ts', '--background', '--url', url]);
    expect(lines).toContain('the wait is over: every job succeeded');
    expect(lines).toContain('+ fact        User moved to Porto last weekend.');
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

  it.each([
    [['--transport', 'no-such'], 'the demo ended early: ORACLE_TRANSPORT: Invalid option'],
    [['--no-such'], "the demo ended early: Unknown option '--no-such'"],
    [['--url', 'no-such'], 'the demo ended early: baseUrl'],
  ])('the demo says in a line what is wrong with %j', async (options, message) => {
    const failed: unknown = await output(process.execPath, ['examples/demo.ts', ...options]).catch(
      (error: unknown) => error,
    );
    expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
    expect(failed).not.toMatchObject({ stderr: expect.stringMatching(/^ +at /m) });
  });
});
