import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from './deployed-environment.ts';
import type { ClientRequest } from './lambda-events.ts';
import { type LambdaProcess, startLambdaProcess } from './lambda-process.ts';

let directory = '';
let environment: DeployedEnvironment;
const processes: LambdaProcess[] = [];

async function start(name: string, variables: Readonly<Record<string, string>>): Promise<LambdaProcess> {
  const lambda = await startLambdaProcess(join(directory, name), variables);
  processes.push(lambda);
  return lambda;
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
  for (const { child } of processes) child.kill('SIGKILL');
  await environment?.close();
  await rm(directory, { recursive: true, force: true });
});

describe('built functions with ORACLE_TRANSPORT=thin', () => {
  it('need nothing but their folder, and write through the driver', async () => {
    expect(await readdir(join(directory, 'threads-create'))).toEqual(['index.mjs', 'oracledb.mjs']);
    const lambda = await start('threads-create', environment.directVariables);
    expect(await lambda.invoke(create)).toMatchObject({
      statusCode: 201,
      body: { threadId: 'direct', metadata: { text: '日本 \u{1F600}' } },
    });
    expect((await lambda.invoke(create)).statusCode).toBe(409);
  });

  it('say so when they are asked, and close their sessions when the process is told to end', async () => {
    const lambda = await start('service', environment.directVariables);
    expect((await lambda.invoke(ready)).body).toMatchObject({ status: 'ok', transport: 'thin' });
    const exited = once(lambda.child, 'exit');
    lambda.child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });

  it('do without the driver over ORDS, and name it in the log when they need it', async () => {
    await rm(join(directory, 'service', 'oracledb.mjs'));
    const overOrds = await start('service', environment.variables);
    expect((await overOrds.invoke(ready)).body).toMatchObject({ status: 'ok', transport: 'ords' });
    const direct = await start('service', environment.directVariables);
    const logged: string[] = [];
    direct.child.stdout?.on('data', (chunk) => logged.push(String(chunk)));
    const failed = await direct.invoke(ready);
    expect([failed.statusCode, JSON.stringify(failed.body)]).toEqual([
      500,
      expect.not.stringContaining('oracledb'),
    ]);
    expect(logged.join('')).toContain('the database driver could not be loaded');
  });
});
