import { globSync } from 'node:fs';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { LAMBDA_FUNCTIONS, type LambdaFunction } from './lambda-functions.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What came of one bundle: its bytes, data beside the code included, and the modules that are in it. */
export interface Bundle {
  readonly name: string;
  readonly bytes: number;
  /** Paths from the root of the project. */
  readonly modules: readonly string[];
  /** What it still imports when it runs. */
  readonly imports: readonly string[];
}

/**
 * Bundles of zod only what is used: a dependency imports its namespace as one object, which keeps all of it and every
 * translation of its messages (300 KB).
 */
const ZOD_BY_NAME: Plugin = {
  name: 'zod-by-name',
  setup(build) {
    build.onLoad({ filter: /[\\/]@ai-sdk[\\/][\w-]+[\\/]dist[\\/]index\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/import \{ z \} from (["']zod\/v4["'])/, 'import * as z from $1') };
    });
  },
};

/** File beside a function that has the Oracle driver; only a function with ORACLE_TRANSPORT=thin loads it. */
const DRIVER_FILE = 'oracledb.mjs';

const DRIVER_BESIDE: Plugin = {
  name: 'driver-beside',
  setup(build) {
    build.onResolve({ filter: /^oracledb$/ }, () => ({ path: `./${DRIVER_FILE}`, external: true }));
  },
};

/** The WebAssembly of the tokenizer beside a function, as its bytes: in the bundle it would be a third larger. */
const WASM_FILE = 'tiktoken_bg.wasm';

const WASM_BESIDE: Plugin = {
  name: 'wasm-beside',
  setup(build) {
    build.onLoad({ filter: /\.wasm$/ }, () => ({
      contents: `import { readFileSync } from 'node:fs';
        export default readFileSync(new URL('./${WASM_FILE}', import.meta.url));`,
    }));
  },
};

/** What CommonJS takes for granted and an ES module has not; the driver requires modules of Node by name. */
const COMMONJS_NAMES = [
  "import { createRequire } from 'node:module';",
  "import { fileURLToPath } from 'node:url';",
  "import { dirname } from 'node:path';",
  'const require = createRequire(import.meta.url);',
  'const __filename = fileURLToPath(import.meta.url);',
  'const __dirname = dirname(__filename);',
].join('\n');

const SHARED = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm' as const,
  minify: true,
  metafile: true as const,
  legalComments: 'none' as const,
  logLevel: 'warning' as const,
  plugins: [ZOD_BY_NAME],
} satisfies BuildOptions;

export interface LambdaBuildOptions {
  /** @default all */
  readonly names?: readonly string[];
  /** Whether the Oracle driver is put beside each function; without it they reach Oracle over ORDS only. @default true */
  readonly withDriver?: boolean;
}

/**
 * Builds functions of AWS Lambda into `directory`, one folder each: all at once, so that what they share is read once. What a
 * bundle measures is the function and its WebAssembly, without the driver.
 */
export async function buildLambdaFunctions(
  directory: string,
  { names = LAMBDA_FUNCTIONS.map(({ name }) => name), withDriver = true }: LambdaBuildOptions = {},
): Promise<readonly Bundle[]> {
  await rm(directory, { recursive: true, force: true });
  const lambdas = LAMBDA_FUNCTIONS.filter(({ name }) => names.includes(name));
  const { metafile } = await build({
    ...SHARED,
    entryPoints: Object.fromEntries(lambdas.map(({ name, entry }) => [`${name}/index`, entry])),
    outdir: directory,
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node22',
    mainFields: ['module', 'main'],
    conditions: ['edge-light', 'module'],
    plugins: [...SHARED.plugins, DRIVER_BESIDE, WASM_BESIDE],
  });
  const driver = withDriver ? await buildDriver() : undefined;
  return Promise.all(
    lambdas.map((lambda) => finishFunction(lambda, join(directory, lambda.name), metafile, driver)),
  );
}

/** Puts beside a function what it reads when it runs. */
async function finishFunction(
  { name, entry, assets = {} }: LambdaFunction,
  folder: string,
  metafile: Metafile,
  driver: Uint8Array | undefined,
): Promise<Bundle> {
  const bundle = describe(name, metafile, entry);
  if (driver !== undefined) await writeFile(join(folder, DRIVER_FILE), driver);
  for (const [pattern, target] of Object.entries(assets)) {
    for (const path of globSync(pattern, { cwd: ROOT })) {
      await cp(join(ROOT, path), join(folder, target, basename(path)));
    }
  }
  const wasm = bundle.modules.find((path) => path.endsWith(WASM_FILE));
  if (wasm === undefined) return bundle;
  const contents = await readFile(join(ROOT, wasm));
  await writeFile(join(folder, WASM_FILE), contents);
  return { ...bundle, bytes: bundle.bytes + contents.byteLength };
}

/** The Oracle driver as one ES module that needs nothing but Node. */
async function buildDriver(): Promise<Uint8Array> {
  const { outputFiles } = await build({
    ...SHARED,
    stdin: { contents: "export { default } from 'oracledb';", resolveDir: ROOT },
    write: false,
    platform: 'node',
    target: 'node22',
    banner: { js: COMMONJS_NAMES },
  });
  const [driver] = outputFiles;
  if (driver === undefined) throw new Error('the driver was not built');
  return driver.contents;
}

/**
 * Builds a Worker into `directory` as `worker.js`, with WebAssembly beside it: Workers compile no bytes. Packages that
 * come with a form for browsers, the AWS SDK for one, give that: it calls `fetch` and uses nothing of Node.
 */
export async function buildWorker(directory: string, entry = 'functions/worker.ts'): Promise<Bundle> {
  await rm(directory, { recursive: true, force: true });
  const { metafile } = await build({
    ...SHARED,
    entryPoints: { worker: entry },
    outdir: directory,
    platform: 'browser',
    target: 'es2024',
    mainFields: ['browser', 'module', 'main'],
    conditions: ['workerd', 'worker', 'edge-light', 'import'],
    loader: { '.wasm': 'copy' },
    assetNames: '[name]',
    external: ['node:*', 'oracledb'],
  });
  return describe('worker', metafile);
}

/** What came of an entry, or of all when there is only one. */
function describe(name: string, { inputs, outputs }: Metafile, entry?: string): Bundle {
  const files = Object.values(outputs).filter((file) => entry === undefined || file.entryPoint === entry);
  const used = files.flatMap((file) => Object.entries(file.inputs));
  return {
    name,
    bytes: files.reduce((sum, file) => sum + file.bytes, 0),
    modules: [...new Set(used.filter(([path]) => path in inputs).map(([path]) => path))].sort(),
    imports: files.flatMap((file) => file.imports.filter((each) => each.external).map((each) => each.path)),
  };
}
