import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { buildWorker } from '../../infra/build/bundle.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { memoryCases } from '../conformance/memory-cases.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from '../runtime/deployed-environment.ts';
import { type RunningWorker, startWorker } from './start-worker.ts';

const config = unstable_readConfig({
  config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
});

let directory = '';
let environment: DeployedEnvironment;
let worker: RunningWorker;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'worker-'));
  await buildWorker(directory);
  environment = await startDeployedEnvironment();
  worker = await startWorker(directory, config, environment.variables);
});
afterAll(async () => {
  await worker?.close();
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('wrangler.toml', () => {
  it('deploys what the build makes, as it is', () => {
    expect(config.main).toMatch(/dist\/worker\/worker\.js$/);
    expect(config.no_bundle).toBe(true);
    expect(config.build.command).toBe('npm run build -- --only worker');
    expect(config.compatibility_flags).toContain('nodejs_compat');
    expect(config.rules).toEqual([{ type: 'CompiledWasm', globs: ['**/*.wasm'], fallthrough: false }]);
  });
});

describe('the Worker in workerd', () => {
  it('is live and ready', async () => {
    expect((await fetch(`${worker.url}/health/live`)).status).toBe(200);
    const ready = await fetch(`${worker.url}/health/ready`);
    expect(await ready.json()).toEqual({
      status: 'ok',
      transport: 'ords',
      strategy: 'vector',
      schemaVersion: 3,
    });
  });

  it('purges what has expired when its cron trigger comes', async () => {
    const memory = createAgentMemoryClient({ baseUrl: worker.url });
    const expired = { timestamp: '2020-01-01T00:00:00Z', ttlDays: 1, ttlAnchor: 'timestamp' } as const;
    await memory.addMemory('of no use any more', { memoryId: 'expired', ...expired });
    expect(config.triggers.crons).toContain('17 * * * *');
    expect(await worker.trigger('17 * * * *')).toBe('ok');
    await vi.waitFor(() => expect(worker.lines.join('')).toMatch(/"job":"purge","records":1/));
    expect(await memory.addMemory('of use', { memoryId: 'expired' })).toBe('expired');
  });

  it('names what its configuration lacks in the log, and only there', async () => {
    const broken = await startWorker(directory, config, { ...environment.variables, ORDS_URL: '' });
    const response = await fetch(`${broken.url}/v1/threads/a`, { headers: { 'X-Request-Id': 'request-9' } });
    const text = await response.text();
    await broken.close();
    expect(response.status).toBe(500);
    expect(text).not.toContain('ORDS_URL');
    expect(broken.lines.join()).toMatch(/request-9.*ORDS_URL/);
  });

  it.each(['a/b', '日本', 'x%2Fy', '100%', 'q?x=1#y'])('takes the id %s', async (id) => {
    const memory = createAgentMemoryClient({ baseUrl: worker.url });
    await memory.createThread({ threadId: id });
    expect((await memory.getThread(id)).threadId).toBe(id);
    expect(await memory.deleteThread(id)).toBe(1);
  });

  it('serves a client of the Model Context Protocol', async () => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${worker.url}/mcp`)));
    const given = { content: 'Ana is allergic to peanuts.', userId: 'mcp', memoryId: 'peanuts' };
    expect(await client.callTool({ name: 'add_memory', arguments: given })).toMatchObject({
      structuredContent: { id: 'peanuts' },
    });
    const found = await client.callTool({ name: 'search', arguments: { query: 'peanuts', userId: 'mcp' } });
    expect(JSON.stringify(found)).toContain('allergic');
    await client.close();
  });

  it('answers requests that come at once', async () => {
    const memory = createAgentMemoryClient({ baseUrl: worker.url });
    const ids = Array.from({ length: 12 }, (_, index) => `parallel-${index}`);
    await Promise.all(ids.map((threadId) => memory.createThread({ threadId })));
    const threads = await Promise.all(ids.map((id) => memory.getThread(id)));
    expect(threads.map(({ threadId }) => threadId)).toEqual(ids);
  });
});

describe('the Worker over installed statements', () => {
  const open = () => startWorker(directory, config, environment.moduleVariables);

  it('says which command installs them when they are not there', async () => {
    const without = await open();
    const response = await fetch(`${without.url}/health/ready`);
    await without.close();
    expect(response.status).toBe(503);
    expect(without.lines.join('')).toContain('npm run schema -- module');
  });

  it('writes, searches with a filter and reads, also for requests that come at once', async () => {
    await environment.installStatements();
    const over = await open();
    const memory = createAgentMemoryClient({ baseUrl: over.url });
    const ids = Array.from({ length: 12 }, (_, index) => `installed-${index}`);
    await Promise.all(ids.map((threadId) => memory.createThread({ threadId, userId: 'installed' })));
    const threads = await Promise.all(ids.map((id) => memory.getThread(id)));
    expect(threads.map(({ threadId }) => threadId)).toEqual(ids);
    for (const color of ['blue', 'red']) {
      await memory.addMemory(`the ${color} kettle`, { userId: 'installed', metadata: { color } });
    }
    const metadataFilter = { color: { $not: 'red' } };
    const found = await memory.search('kettle', { userId: 'installed', metadataFilter });
    expect(found.map(({ content }) => content)).toEqual(['the blue kettle']);
    await over.close();
  });
});

memoryCases('a Worker in workerd', async () => createAgentMemoryClient({ baseUrl: worker.url }));
