import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { buildWorker } from '../../infra/build/bundle.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { type KeySetServer, startKeySetServer } from '../api/key-set-server.ts';
import { type DeployedEnvironment, startDeployedEnvironment } from '../runtime/deployed-environment.ts';
import { type RunningWorker, startWorker } from './start-worker.ts';

const config = unstable_readConfig({
  config: fileURLToPath(new URL('../../wrangler.toml', import.meta.url)),
});

let directory = '';
let environment: DeployedEnvironment;
let keySet: KeySetServer;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'worker-'));
  await buildWorker(directory);
  environment = await startDeployedEnvironment();
  keySet = await startKeySetServer();
});
afterAll(async () => {
  await environment?.close();
  await keySet?.close();
  await rm(directory, { recursive: true, force: true });
});

async function withWorker(
  variables: Readonly<Record<string, string>>,
  rateLimits: readonly number[],
  use: (worker: RunningWorker) => Promise<void>,
): Promise<void> {
  const worker = await startWorker(directory, config, { ...environment.variables, ...variables }, rateLimits);
  try {
    await use(worker);
  } finally {
    await worker.close();
  }
}

it('takes tokens in workerd, with their limits, also in requests that come at once', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  keySet.answer(200, { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] });
  const issuer = { JWT_JWKS_URL: keySet.url, JWT_ISSUER: 'https://issuer.test/', JWT_AUDIENCE: 'memory' };
  const sign = (claims: object) =>
    new SignJWT({ ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer('https://issuer.test/')
      .setAudience('memory')
      .setSubject('bot')
      .setExpirationTime('5 minutes')
      .sign(privateKey);
  const apiKey = await sign({ scope: 'threads:write threads:read', users: ['ana'] });
  await withWorker({ AUTH_MODE: 'jwt', ...issuer }, [], async ({ url }) => {
    const memory = createAgentMemoryClient({ baseUrl: url, apiKey });
    const threads = await Promise.all([1, 2, 3].map(() => memory.createThread()));
    expect(threads.map(({ userId }) => userId)).toEqual(['ana', 'ana', 'ana']);
    await expect(memory.createThread({ userId: 'bob' })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(memory.addMemory('a')).rejects.toMatchObject({ code: 'forbidden' });
    const stranger = createAgentMemoryClient({ baseUrl: url, apiKey: `${apiKey.slice(0, -4)}AAAA` });
    await expect(stranger.createThread()).rejects.toMatchObject({ code: 'unauthenticated' });
  });
});

it('counts a rate by the binding of the Worker that has it in its name', async () => {
  const entry = (key: string, ratePerMinute: number) => ({
    id: key,
    sha256: createHash('sha256').update(key).digest('hex'),
    scopes: ['*'],
    ratePerMinute,
  });
  const API_KEYS = JSON.stringify([entry('bound', 2), entry('unbound', 3)]);
  await withWorker({ AUTH_MODE: 'api-key', API_KEYS }, [2], async ({ url }) => {
    const answers = async (key: string) => {
      const found: (readonly [number, string | null])[] = [];
      for (let index = 0; index < 4; index += 1) {
        const { status, headers } = await fetch(`${url}/v1/threads/a`, {
          headers: { Authorization: `Bearer ${key}` },
        });
        found.push([status, headers.get('RateLimit')]);
      }
      return found;
    };
    expect((await answers('bound')).map(([status]) => status)).toEqual([404, 404, 429, 429]);
    const unbound = await answers('unbound');
    expect(unbound.map(([status]) => status)).toEqual([404, 404, 404, 429]);
    expect(unbound[0]?.[1]).toBe('"minute";r=2;t=20');
  });
});
