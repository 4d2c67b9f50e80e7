import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWorker } from '../../infra/build/bundle.ts';
import { workerSizes } from '../../infra/build/worker-sizes.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const WRANGLER = join(
  dirname(createRequire(import.meta.url).resolve('wrangler/package.json')),
  'bin/wrangler.js',
);
const LARGEST = 2_500_000;
const LARGEST_WITHOUT_RANKS = 700_000;

let directory = '';
let output = '';

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'worker-package-'));
  await buildWorker(join(directory, 'dist/worker'));
  await cp(join(ROOT, 'wrangler.toml'), join(directory, 'wrangler.toml'));
  await writeFile(join(directory, 'package.json'), '{"scripts":{"build":"echo"}}');
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [WRANGLER, 'deploy', '--dry-run', '--outdir', 'deployed'],
    {
      cwd: directory,
      env: {
        HOME: directory,
        PATH: process.env.PATH,
        CI: 'true',
        WRANGLER_SEND_METRICS: 'false',
        CLOUDFLARE_CF_FETCH_ENABLED: 'false',
      },
    },
  );
  output = stdout;
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('wrangler deploy --dry-run', () => {
  it('takes the built Worker with its WebAssembly as they are', async () => {
    const built = await readFile(join(directory, 'dist/worker/worker.js'), 'utf8');
    expect(await readFile(join(directory, 'deployed/worker.js'), 'utf8')).toContain(built.slice(0, 10_000));
    expect(output).toMatch(/tiktoken_bg\.wasm/);
  });

  it('binds the queue, the rate limit and the variables', () => {
    expect(output).toMatch(/env\.JOBS \(agent-memory-jobs\)/);
    expect(output).toMatch(/env\.RATE_LIMIT_600 \(600 requests\/60s\)/);
    expect(output).toMatch(/env\.ORACLE_TRANSPORT \("ords"\)/);
    expect(output).toContain('--dry-run: exiting now.');
  });
});

describe('the size of the Worker', () => {
  it('stays below what Cloudflare and the bounds of this project allow', async () => {
    const { compressed, withoutRanks } = await workerSizes(join(directory, 'dist/worker'));
    expect(compressed).toBeGreaterThan(withoutRanks);
    expect(compressed).toBeLessThanOrEqual(LARGEST);
    expect(withoutRanks).toBeLessThanOrEqual(LARGEST_WITHOUT_RANKS);
  });
});
