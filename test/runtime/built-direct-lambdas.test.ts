import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from './deployed-environment.ts';
import { type ClientRequest, EVENT_KINDS } from './lambda-events.ts';

/** What AWS Lambda is to a function: a process that has nothing but the folder. */
const RUNTIME = `
  const { handler } = await import('./index.mjs');
  process.on('message', async (event) => process.send(await handler(event)));
  process.send('ready');
`;
const answerSchema = z.looseObject({ statusCode: z.number(), body: z.string() });
const [, makeEvent] = EVENT_KINDS[0];

let directory = '';
let environment: DeployedEnvironment;
const processes: ChildProcess[] = [];

/** Starts a built function with only these variables. */
async function start(name: string, variables: Readonly<Record<string, string>>): Promise<ChildProcess> {
  const folder = join(directory, name);
  await writeFile(join(folder, 'runtime.mjs'), RUNTIME);
  const child = fork(join(folder, 'runtime.mjs'), {
    cwd: folder,
    env: { ...variables },
    execArgv: [],
    silent: true,
  });
  processes.push(child);
  await once(child, 'message');
  return child;
}

async function invoke(child: ChildProcess, request: ClientRequest) {
  const answered = once(child, 'message');
  child.send(makeEvent(request));
  const [answer] = await answered;
  const { statusCode, body } = answerSchema.parse(answer);
  return { statusCode, body: z.looseObject({}).parse(JSON.parse(body)) };
}

const create: ClientRequest = {
  method: 'POST',
  target: '/v1/threads',
  route: '/v1/threads',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ threadId: 'direct', metadata: { text: '日本 \u{1F600}' } }),
};
const ready: ClientRequest = { method: 'GET', target: '/health/ready', route: '/health/ready' };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'direct-lambdas-'));
  await buildLambdaFunctions(directory, { names: ['threads-create', 'service'] });
  environment = await startDeployedEnvironment();
});
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL');
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('built functions with ORACLE_TRANSPORT=thin', () => {
  it('need nothing but their folder, and write through the driver', async () => {
    expect(await readdir(join(directory, 'threads-create'))).toEqual(['index.mjs', 'oracledb.mjs']);
    const child = await start('threads-create', environment.directVariables);
    expect(await invoke(child, create)).toMatchObject({
      statusCode: 201,
      body: { threadId: 'direct', metadata: { text: '日本 \u{1F600}' } },
    });
    expect((await invoke(child, create)).statusCode).toBe(409);
  });

  it('say so when they are asked, and close their sessions when the process is told to end', async () => {
    const child = await start('service', environment.directVariables);
    expect((await invoke(child, ready)).body).toMatchObject({ status: 'ok', transport: 'thin' });
    const exited = once(child, 'exit');
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('do without the driver over ORDS, and name it in the log when they need it', async () => {
    await rm(join(directory, 'service', 'oracledb.mjs'));
    const overOrds = await start('service', environment.variables);
    expect((await invoke(overOrds, ready)).body).toMatchObject({ status: 'ok', transport: 'ords' });
    const direct = await start('service', environment.directVariables);
    const logged: string[] = [];
    direct.stdout?.on('data', (chunk) => logged.push(String(chunk)));
    const failed = await invoke(direct, ready);
    expect([failed.statusCode, JSON.stringify(failed.body)]).toEqual([
      500,
      expect.not.stringContaining('oracledb'),
    ]);
    expect(logged.join('')).toContain('the database driver could not be loaded');
  });
});
