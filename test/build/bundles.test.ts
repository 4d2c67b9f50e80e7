import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, buildLambdaFunctions, buildWorker } from '../../infra/build/bundle.ts';
import { LAMBDA_FUNCTIONS } from '../../infra/build/lambda-functions.ts';

const KIB = 1_024;
const FOREIGN =
  /node_modules\/(?:oracledb|@electric-sql|miniflare|wrangler|vitest)|^infra\/|^lib\/testing|^lib\/models\/local|word-table/;
const BUILTINS = new Set(builtinModules);

let directory = '';
let lambdas: readonly Bundle[] = [];
let worker: Bundle;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'bundles-'));
  lambdas = await buildLambdaFunctions(join(directory, 'lambda'));
  worker = await buildWorker(join(directory, 'worker'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

describe('the bundles', () => {
  it('are one for each function', () => {
    expect(lambdas.map((bundle) => bundle.name)).toEqual(LAMBDA_FUNCTIONS.map((lambda) => lambda.name));
  });

  it('hold no driver, emulator, fake, local model or word table', () => {
    const found = [...lambdas, worker].flatMap(({ name, modules }) =>
      modules.filter((path) => FOREIGN.test(path)).map((path) => `${name}: ${path}`),
    );
    expect(found).toEqual([]);
  });

  it('keep the runtimes apart', () => {
    const inWorker = worker.modules.filter((path) => /aws-lambda|runtime\/lambda/.test(path));
    const inLambdas = lambdas.flatMap(({ modules }) =>
      modules.filter((path) => /runtime\/worker|functions\/worker/.test(path)),
    );
    expect([...inWorker, ...inLambdas]).toEqual([]);
    expect(
      lambdas.every(({ modules }) => modules.some((path) => /runtime\/(?:scheduled-)?lambda\.ts/.test(path))),
    ).toBe(true);
  });

  it('import nothing that is not there when they run', () => {
    const unknown = lambdas.flatMap(({ imports }) =>
      imports.filter((path) => !BUILTINS.has(path.replace(/^node:/, ''))),
    );
    expect(unknown).toEqual([]);
    expect(worker.imports.filter((path) => path !== './tiktoken_bg.wasm')).toEqual([]);
  });

  it('hold the operation that they are for and no other', () => {
    const foreign = lambdas.flatMap(({ name, modules }) => {
      const own = LAMBDA_FUNCTIONS.find((lambda) => lambda.name === name)?.entry;
      const entries = LAMBDA_FUNCTIONS.map((lambda) => lambda.entry).filter((entry) => entry !== own);
      return modules.filter((path) => entries.includes(path)).map((path) => `${name}: ${path}`);
    });
    expect(foreign).toEqual([]);
  });

  it('stay small: without the tokenizer below 500 KiB, with it below 4.5 MiB', () => {
    const sizes = [...lambdas, worker].map(({ name, bytes, modules }) => {
      const limit = modules.some((path) => path.endsWith('o200k_base.json')) ? 4_600 : 500;
      return { name, fits: bytes <= limit * KIB };
    });
    expect(sizes.filter(({ fits }) => !fits)).toEqual([]);
  });

  it('have the tokenizer exactly when they split or count text', () => {
    const wrong = lambdas.filter(({ modules }) => {
      const has = (end: string) => modules.some((path) => path.endsWith(end));
      const splits = has('lib/memory/retrieval-rows.ts') || has('lib/memory/extraction/prompt-budget.ts');
      return splits !== has('o200k_base.json');
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(lambdas.filter(({ bytes }) => bytes <= 500 * KIB).length).toBeGreaterThan(10);
  });

  it('put the Worker’s WebAssembly beside it', async () => {
    const wasm = await readFile(join(directory, 'worker', 'tiktoken_bg.wasm'));
    expect(wasm.subarray(0, 4)).toEqual(Buffer.from([0x00, 0x61, 0x73, 0x6d]));
  });
});
