import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { ScheduledLambdaHandler } from '../../functions/runtime/scheduled-lambda.ts';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { createSchemaNames } from '../../lib/schema/schema-names.ts';
import { createMemoryStore } from '../../lib/store/create-memory-store.ts';
import { emulatorTransport } from '../api/api-fixture.ts';
import { EXPIRED } from '../conformance/store-fixtures.ts';
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
  await buildLambdaFunctions(directory, ['jobs-purge']);
  environment = await startDeployedEnvironment();
  for (const [name, value] of Object.entries(environment.variables)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

async function loadHandler(fresh: string): Promise<ScheduledLambdaHandler> {
  const url = pathToFileURL(join(directory, 'jobs-purge', 'index.mjs')).href;
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
  const purge = await loadHandler('');
  await purge({}, invocation());
  const logged = lines.mock.calls.join();
  vi.stubEnv('ORDS_URL', '');
  const unconfigured = await loadHandler('?unconfigured');
  await expect(unconfigured({}, invocation())).rejects.toMatchObject({ code: 'internal' });
  lines.mockRestore();
  expect(logged).toMatch(/"event":"job_finished","job":"purge","records":1,/);
  await store.addRecord(newRecord('expired'), undefined);
  expect(await store.getRecord('memory', 'kept')).toMatchObject({ id: 'kept' });
});
