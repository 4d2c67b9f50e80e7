import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MCP_TOOL_NAMES } from '../../functions/mcp/mcp-tool-names.ts';
import { type Bundle, buildLambdaFunctions, buildWorker } from '../../infra/build/bundle.ts';
import { LAMBDA_FUNCTIONS } from '../../infra/build/lambda-functions.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';

const KIB = 1_024;
const FOREIGN =
  /node_modules\/(?:oracledb|@electric-sql|miniflare|wrangler|osls|fauxqs|vitest)|^infra\/|^lib\/testing|^lib\/models\/local|word-table/;
/** What the function for the schema has of `infra`: the command. */
const SCHEMA_COMMAND = /^infra\/(?:aws\/schema-function|ords\/|schema-|open-database|explain-failure)/;
const BUILTINS = new Set(builtinModules);
/** Largest bundle of an operation that neither splits text nor wakes jobs. */
const SMALL = 650 * KIB;
const TOKENIZER = 3_450 * KIB;
const AWS_SDK = 350 * KIB;
const MCP_SDK = 300 * KIB;

/** Whether a module is what a deployed function starts with. */
function isEntry(path: string): boolean {
  return LAMBDA_FUNCTIONS.some((lambda) => lambda.entry === path);
}

function has({ modules }: Bundle, part: string): boolean {
  return modules.some((path) => path.includes(part));
}

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
      modules
        .filter((path) => FOREIGN.test(path) && !(name === 'schema' && SCHEMA_COMMAND.test(path)))
        .map((path) => `${name}: ${path}`),
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
      lambdas.every(({ modules }) =>
        modules.some((path) => /runtime\/(?:scheduled-|sqs-)?lambda\.ts|infra\/aws\//.test(path)),
      ),
    ).toBe(true);
  });

  it('import nothing that is not there when they run', () => {
    const unknown = lambdas.flatMap(({ imports }) =>
      imports.filter((path) => !BUILTINS.has(path.replace(/^node:/, ''))),
    );
    const drivers = unknown.filter((path) => path === './oracledb.mjs');
    expect([unknown.length, drivers.length]).toEqual([lambdas.length, lambdas.length]);
    expect(worker.imports.filter((path) => path !== './tiktoken_bg.wasm')).toEqual([]);
  });

  it('have the Oracle driver beside them, and no direct connection in a Worker', async () => {
    const folder = join(directory, 'lambda', 'threads-get');
    const sizes = await Promise.all(['index.mjs', 'oracledb.mjs'].map((file) => stat(join(folder, file))));
    expect(sizes.map(({ size }) => size).every((size) => size < SMALL)).toBe(true);
    expect(
      worker.modules.filter((path) => /node-oracledb\/(?!connect-string)|thin-transport/.test(path)),
    ).toEqual([]);
    await buildLambdaFunctions(join(directory, 'plain'), { names: ['threads-get'], withDriver: false });
    expect(await readdir(join(directory, 'plain', 'threads-get'))).toEqual(['index.mjs']);
  });

  it('hold the operation that they are for and no other; that of MCP those of its tools, that of all all', () => {
    const ofTools = lambdas.find(({ name }) => name === 'mcp')?.modules.filter((path) => isEntry(path));
    expect(ofTools).toHaveLength(1 + MCP_TOOL_NAMES.length);
    const ofAll = lambdas.find(({ name }) => name === 'api')?.modules.filter((path) => isEntry(path));
    expect(ofAll).toHaveLength(1 + ALL_CONTRACTS.length);
    const foreign = lambdas.flatMap(({ name, modules }) => {
      if (name === 'mcp' || name === 'api') return [];
      const own = LAMBDA_FUNCTIONS.find((lambda) => lambda.name === name)?.entry;
      const entries = LAMBDA_FUNCTIONS.map((lambda) => lambda.entry).filter((entry) => entry !== own);
      return modules.filter((path) => entries.includes(path)).map((path) => `${name}: ${path}`);
    });
    expect(foreign).toEqual([]);
  });

  it('stay small but for the tokenizer and the AWS SDK', () => {
    const tooLarge = [...lambdas, worker].filter((bundle) => {
      const tokenizer = has(bundle, 'o200k_base.json') ? TOKENIZER : 0;
      const sdk = has(bundle, 'node_modules/@aws-sdk/client-sqs/') ? AWS_SDK : 0;
      const mcp = has(bundle, 'node_modules/@modelcontextprotocol/server/') ? MCP_SDK : 0;
      return bundle.bytes > SMALL + tokenizer + sdk + mcp;
    });
    expect(tooLarge.map(({ name, bytes }) => [name, bytes])).toEqual([]);
  });

  it('have the AWS SDK exactly when they wake jobs, and never in a Worker', () => {
    const wrong = lambdas.filter(
      (bundle) => has(bundle, 'lib/memory/wake-up.ts') !== has(bundle, 'node_modules/@aws-sdk/client-sqs/'),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const senders = lambdas.filter((bundle) => has(bundle, 'lib/memory/wake-up.ts'));
    expect(senders.map(({ name }) => name)).toEqual([
      'api',
      'jobs-cancel',
      'jobs-extract',
      'jobs-retry',
      'jobs-sweep',
      'mcp',
      'messages-add',
      'messages-update',
    ]);
    expect([has(worker, 'lib/memory/wake-up.ts'), has(worker, '@aws-sdk')]).toEqual([true, false]);
  });

  it('have the tokenizer exactly when they split or count text', () => {
    const splits = (bundle: Bundle) =>
      has(bundle, 'lib/memory/retrieval-rows.ts') || has(bundle, 'lib/memory/extraction/prompt-budget.ts');
    const wrong = lambdas.filter((bundle) => splits(bundle) !== has(bundle, 'o200k_base.json'));
    expect(wrong.map(({ name }) => name)).toEqual([]);
    expect(lambdas.filter(({ bytes }) => bytes <= SMALL).length).toBeGreaterThan(10);
  });

  it('put the Worker’s WebAssembly beside it', async () => {
    const wasm = await readFile(join(directory, 'worker', 'tiktoken_bg.wasm'));
    expect(wasm.subarray(0, 4)).toEqual(Buffer.from([0x00, 0x61, 0x73, 0x6d]));
  });
});
