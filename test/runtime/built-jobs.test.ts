import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createApp } from '../../functions/app.ts';
import { ALL_OPERATIONS } from '../../functions/operations.ts';
import { createDeployedServices } from '../../functions/runtime/deployed-services.ts';
import type { ScheduledLambdaHandler } from '../../functions/runtime/scheduled-lambda.ts';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { loadTokenizer } from '../../infra/local/models/load-tokenizer.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { createRecordingQueue } from '../../lib/testing/recording-queue.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { EXPIRED } from '../conformance/store-fixtures.ts';
import { startLocalSqs } from '../queue/local-sqs.ts';
import { NO_RETENTION, newRecord } from '../store/store-samples.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from './deployed-environment.ts';
import { invocation } from './sqs-events.ts';

const moduleSchema = z.looseObject({
  handler: z.custom<ScheduledLambdaHandler>((value) => typeof value === 'function'),
});
let directory = '';
let environment: DeployedEnvironment;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'jobs-'));
  await buildLambdaFunctions(directory, { names: ['jobs-purge', 'jobs-sweep'] });
  environment = await startDeployedEnvironment();
  for (const [name, value] of Object.entries(environment.variables)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

async function loadHandler(name: string, fresh = ''): Promise<ScheduledLambdaHandler> {
  const url = pathToFileURL(join(directory, name, 'index.mjs')).href;
  return moduleSchema.parse(await import(/* @vite-ignore */ `${url}${fresh}`)).handler;
}

it('the built purge removes what has expired and says how much, and fails aloud', async () => {
  const store = createMemoryStore({
    transport: emulatorTransport(environment.emulator),
    names: createSchemaNames(),
    settings: { dimensions: environment.models.dimensions, retention: NO_RETENTION },
  });
  await store.addRecord(newRecord('expired', EXPIRED), undefined);
  await store.addRecord(newRecord('kept'), undefined);
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const purge = await loadHandler('jobs-purge');
  await purge({}, invocation());
  const logged = lines.mock.calls.join();
  vi.stubEnv('ORDS_URL', '');
  const unconfigured = await loadHandler('jobs-purge', '?unconfigured');
  await expect(unconfigured({}, invocation())).rejects.toMatchObject({ code: 'internal' });
  lines.mockRestore();
  expect(logged).toMatch(/"event":"job_finished","job":"purge","records":1,/);
  await store.addRecord(newRecord('expired'), undefined);
  expect(await store.getRecord('memory', 'kept')).toMatchObject({ id: 'kept' });
});

/** Adds a message whose job no queue heard of, and makes it due since an hour; returns the id of the job. */
async function addUnheardJob(): Promise<string | null> {
  const queue = createRecordingQueue();
  queue.setAvailable(false);
  const variables = { ...environment.variables, JOB_QUEUE: 'cloudflare-queue' };
  const services = createDeployedServices(variables, {
    loadTokenizer,
    createJobQueue: () => queue,
    writeLine: () => undefined,
  });
  const app = createApp({ operations: ALL_OPERATIONS, services });
  const client = createAgentMemoryClient({
    baseUrl: 'http://memory.test',
    fetch: (url, init) => app.request(url, init),
  });
  const thread = await client.createThread({ extraction: { extractionMode: 'background' } });
  const { extraction } = await thread.addMessages([{ role: 'user', content: 'I live in Porto.' }]);
  const session = environment.emulator.engine.openSession();
  const anHourAgo = "SYSTIMESTAMP - INTERVAL '1' HOUR";
  await session.execute(
    `UPDATE MEMORY_JOB SET created_at = ${anHourAgo}, next_attempt_at = ${anHourAgo}`,
    [],
  );
  await session.commit();
  await session.close();
  return extraction.jobId;
}

it('the built sweep sends the wake-ups that were lost', async () => {
  const sqs = await startLocalSqs();
  vi.stubEnv('JOB_QUEUE', 'sqs');
  vi.stubEnv('SQS_QUEUE_URL', sqs.config.url);
  vi.stubEnv('SQS_ENDPOINT', sqs.config.endpoint);
  vi.stubEnv('ORDS_URL', environment.emulator.ordsUrl);
  vi.stubEnv('AWS_ACCESS_KEY_ID', sqs.config.credentials.accessKeyId);
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', sqs.config.credentials.secretAccessKey);
  const jobId = await addUnheardJob();
  const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const sweep = await loadHandler('jobs-sweep');
  await sweep({}, invocation(60_000));
  const logged = lines.mock.calls.join();
  lines.mockRestore();
  expect(logged).toMatch(/"event":"job_finished","job":"sweep","dead":0,"woken":1,"failedWakeUps":0/);
  expect(await sqs.received()).toEqual([jobId]);
  await sqs.close();
});
