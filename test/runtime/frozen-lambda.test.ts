import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { buildLambdaFunctions } from '../../infra/build/bundle.ts';
import { startStallingProxy } from '../sql/stalling-proxy.ts';
import { startDeployedEnvironment } from './deployed-environment.ts';
import { startLambdaProcess } from './lambda-process.ts';

/** Seconds that the process is stopped; the test takes as long, so it runs only when it is asked for. */
const FROZEN_SECONDS = Number(process.env.FROZEN_SECONDS ?? 0);
const READY = { method: 'GET', target: '/health/ready', route: '/health/ready' };

it.skipIf(FROZEN_SECONDS === 0)(
  `a function that was frozen for ${FROZEN_SECONDS} s answers within five (FROZEN_SECONDS)`,
  async () => {
    await using opened = new AsyncDisposableStack();
    const directory = await mkdtemp(join(tmpdir(), 'frozen-lambda-'));
    opened.defer(() => rm(directory, { recursive: true, force: true }));
    await buildLambdaFunctions(directory, { names: ['service'] });
    const environment = await startDeployedEnvironment();
    opened.defer(() => environment.close());
    const { ORACLE_CONNECT_STRING: address = '' } = environment.directVariables;
    const proxy = await startStallingProxy(Number(/:(\d+)\//.exec(address)?.[1]));
    opened.defer(() => proxy.close());
    const { child, invoke } = await startLambdaProcess(join(directory, 'service'), {
      ...environment.directVariables,
      ORACLE_CONNECT_STRING: address.replace(/:\d+/, `:${proxy.port}`),
    });
    opened.defer(() => void child.kill('SIGKILL'));
    expect((await invoke(READY)).statusCode).toBe(200);
    child.kill('SIGSTOP');
    proxy.stall();
    await setTimeout(FROZEN_SECONDS * 1_000);
    child.kill('SIGCONT');
    const start = performance.now();
    expect((await invoke(READY)).statusCode).toBe(200);
    expect(performance.now() - start).toBeLessThan(5_000);
    expect(proxy.opened).toBe(2);
  },
  (FROZEN_SECONDS + 60) * 1_000,
);
