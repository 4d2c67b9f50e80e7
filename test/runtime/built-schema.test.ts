import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { LambdaHandler } from '../../functions/runtime/lambda.ts';
import type { handler } from '../../infra/aws/schema-function.ts';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { type Emulator, startEmulator } from '../../infra/local/oracle/start-emulator.ts';
import { type AwsConfigurationServer, startAwsConfigurationServer } from './aws-configuration-server.ts';
import { EVENT_KINDS } from './lambda-events.ts';

const isFunction = (value: unknown) => typeof value === 'function';
const schemaModule = z.looseObject({ handler: z.custom<typeof handler>(isFunction) });
const serviceModule = z.looseObject({ handler: z.custom<LambdaHandler>(isFunction) });
const [, restEvent] = EVENT_KINDS[0];

let directory = '';
let emulator: Emulator;
let server: AwsConfigurationServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'schema-'));
  await buildLambdaFunctions(directory, { names: ['schema', 'service'] });
  emulator = await startEmulator({ ordsPort: 0 });
  const database = {
    ORDS_URL: emulator.ordsUrl,
    ORDS_USERNAME: emulator.username,
    ORDS_PASSWORD: emulator.password,
    EMBEDDING_MODEL: 'hash',
    EMBEDDING_DIMENSION: '64',
  };
  const service = {
    ...database,
    EMBEDDER: 'openai-compatible',
    EMBEDDING_API_BASE: 'http://127.0.0.1:9/v1',
    AUTH_MODE: 'none',
  };
  const below = (path: string, variables: Readonly<Record<string, string>>) =>
    Object.entries(variables).map(([name, value]) => [`/agent-memory/prod/${path}/${name}`, value]);
  const parameters = Object.fromEntries([...below('schema', database), ...below('service', service)]);
  server = await startAwsConfigurationServer(parameters, {});
  const environment = { ...server.variables, ORACLE_TRANSPORT: 'ords', JOB_QUEUE: 'inline' };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  await emulator?.close();
  await rm(directory, { recursive: true, force: true });
});

function load(name: string): Promise<unknown> {
  return import(/* @vite-ignore */ pathToFileURL(join(directory, name, 'index.mjs')).href);
}

async function run(...commandLine: readonly string[]): Promise<string> {
  vi.stubEnv('SSM_PARAMETER_PATH', '/agent-memory/prod/schema');
  const { handler: invoke } = schemaModule.parse(await load('schema'));
  return (await invoke({ arguments: [...commandLine] })).output;
}

describe('the built function for the schema', () => {
  it('prints, creates and shows the schema with the parameters of its own', async () => {
    expect(await run('plan')).toContain('CREATE TABLE');
    expect(await run('status')).toBe('not installed, or not complete\n');
    expect(await run('apply')).toMatch(/"vectorDimensions": 64,[\s\S]*"embedderModel": "hash"/);
    expect(JSON.parse(await run('status'))).toMatchObject({ vectorDimensions: 64 });
    expect(await run('module')).toContain('DBMS_SQL');
  });

  it('fails the invocation with what the command printed', async () => {
    await expect(run('destroy')).rejects.toThrow('npm run schema -- <command>');
    await expect(run('recreate')).rejects.toThrow(/confirm/);
    await expect(run()).rejects.toThrow();
  });
});

describe('a built function of the service', () => {
  it('finds the database in its parameters', async () => {
    await run('apply');
    vi.stubEnv('SSM_PARAMETER_PATH', '/agent-memory/prod/service');
    const { handler: invoke } = serviceModule.parse(await load('service'));
    const ready = { method: 'GET', target: '/health/ready', route: '/health/ready' };
    server.failNext(503, 503, 503);
    const lines = vi.spyOn(console, 'log').mockImplementation(() => undefined);
    expect((await invoke(restEvent(ready))).statusCode).toBe(503);
    lines.mockRestore();
    expect(JSON.parse((await invoke(restEvent(ready))).body)).toMatchObject({ status: 'ok' });
  });
});
