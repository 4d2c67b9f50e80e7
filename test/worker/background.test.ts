import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import * as z from 'zod';
import type { SqsHandler } from '../../functions/runtime/sqs-handler.ts';
import { buildLambdaFunctions, buildWorker } from '../../infra/build/bundle.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { type LocalSqs, startLocalSqs } from '../queue/local-sqs.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from '../runtime/deployed-environment.ts';
import { invocation, sqsEvent, sqsRecord } from '../runtime/sqs-events.ts';
import { type RunningWorker, startWorker } from './start-worker.ts';

const config = unstable_readConfig({
  config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
});
const MESSAGE = { role: 'user', content: 'I live in Porto and I prefer trains over planes.' } as const;
const MAX_RETRIES = config.queues.consumers?.[0]?.max_retries ?? Number.NaN;
const moduleSchema = z.looseObject({
  handler: z.custom<SqsHandler>((value) => typeof value === 'function'),
});

let directory = '';
let environment: DeployedEnvironment;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'background-'));
  await buildWorker(join(directory, 'worker'));
  await buildLambdaFunctions(join(directory, 'lambda'), { names: ['jobs-extract'] });
  environment = await startDeployedEnvironment();
});
afterAll(async () => {
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

function start(variables: Readonly<Record<string, string>>): Promise<RunningWorker> {
  return startWorker(join(directory, 'worker'), config, { ...environment.variables, ...variables });
}

/** A thread whose memories are extracted in the background, with one message. */
async function addToThread(url: string, threadId: string) {
  const memory = createAgentMemoryClient({ baseUrl: url });
  const thread = await memory.createThread({ threadId, extraction: { extractionMode: 'background' } });
  const { extraction } = await thread.addMessages([MESSAGE]);
  return { memory, thread, extraction };
}

async function memoriesOf(memory: ReturnType<typeof createAgentMemoryClient>, threadId: string) {
  const { items } = await memory.listMemories({ threadId });
  return items.map(({ content }) => content);
}

describe('a Worker with a Cloudflare queue', () => {
  let worker: RunningWorker;
  beforeAll(async () => {
    worker = await start({ JOB_QUEUE: 'cloudflare-queue', LOG_LEVEL: 'debug' });
  });
  afterAll(() => worker?.close());

  it('extracts after the answer, as its own consumer', async () => {
    const { memory, thread, extraction } = await addToThread(worker.url, 'consumed');
    expect(extraction).toMatchObject({ status: 'queued', jobId: expect.any(String) });
    expect(await thread.waitForExtraction()).toEqual({ succeeded: 1, failed: 0 });
    expect((await memoriesOf(memory, 'consumed')).join()).toContain('Porto');
    await vi.waitFor(() => expect(worker.lines.join('\n')).toContain(`"jobId":"${extraction.jobId}"`));
  });

  it('fails a message that it cannot read as often as it comes', async () => {
    await worker.send('JOBS', 'no message of ours');
    const failed = () => worker.lines.filter((line) => line.includes('"event":"message_failed"'));
    await vi.waitFor(() => expect(failed()).toHaveLength(1 + MAX_RETRIES), { timeout: 20_000 });
    expect(failed().join()).not.toContain('of ours');
  });

  it('sweeps by its cron trigger', async () => {
    expect(await worker.trigger('* * * * *')).toBe('ok');
    await vi.waitFor(() => expect(worker.lines.join('\n')).toContain('"job":"sweep"'));
    expect(worker.lines.join('\n')).not.toContain('"job":"purge"');
  });
});

describe('a Worker that sends to Amazon SQS', () => {
  let sqs: LocalSqs;
  let worker: RunningWorker;
  beforeAll(async () => {
    sqs = await startLocalSqs();
    const variables = sqsVariables(sqs);
    worker = await start(variables);
    for (const [name, value] of Object.entries({ ...environment.variables, ...variables })) {
      vi.stubEnv(name, value);
    }
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await worker?.close();
    await sqs?.close();
  });

  it('leaves its jobs to the built function, which says what has to come again', async () => {
    const ids = Array.from({ length: 3 }, (_, index) => `sent-${index}`);
    const added = await Promise.all(ids.map((threadId) => addToThread(worker.url, threadId)));
    const jobIds = added.map(({ extraction }) => extraction.jobId);
    expect([...(await sqs.received())].sort()).toEqual(jobIds.toSorted());

    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    const url = pathToFileURL(join(directory, 'lambda', 'jobs-extract', 'index.mjs')).href;
    const { handler } = moduleSchema.parse(await import(/* @vite-ignore */ url));
    const records = jobIds.map((jobId) => sqsRecord(JSON.stringify({ jobId })));
    const event = sqsEvent(...records, ...records.slice(0, 2), sqsRecord('no message of ours', 'odd'));
    expect(await handler(event, invocation())).toEqual({ batchItemFailures: [{ itemIdentifier: 'odd' }] });
    lines.mockRestore();

    for (const { memory, thread } of added) {
      expect(await thread.waitForExtraction()).toEqual({ succeeded: 1, failed: 0 });
      const memories = await memoriesOf(memory, thread.threadId);
      expect(memories).toEqual([...new Set(memories)]);
      expect(memories.join()).toContain('Porto');
    }
  });
});

function sqsVariables({ config }: LocalSqs): Readonly<Record<string, string>> {
  return {
    JOB_QUEUE: 'sqs',
    SQS_QUEUE_URL: config.url,
    SQS_ENDPOINT: config.endpoint,
    AWS_REGION: config.region,
    AWS_ACCESS_KEY_ID: config.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: config.credentials.secretAccessKey,
  };
}
