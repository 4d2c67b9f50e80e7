import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage } from './build-package.ts';
import { type Bundle, buildLambdaFunctions, buildWorker } from './bundle.ts';
import { writeServerlessFunctions } from './serverless-functions.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));
const USAGE = 'npm run build -- [--only lambda|worker|package] [--without-driver]';

const { values } = parseArgs({
  options: { only: { type: 'string' }, 'without-driver': { type: 'boolean', default: false } },
});

function print({ name, bytes }: Bundle): void {
  console.log(`${name.padEnd(28)} ${(bytes / 1_024).toFixed(0).padStart(7)} KiB`);
}

const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  async lambda() {
    const bundles = await buildLambdaFunctions(`${DIST}/lambda`, { withDriver: !values['without-driver'] });
    for (const bundle of bundles) print(bundle);
    await writeServerlessFunctions(`${DIST}/lambda`, bundles);
  },
  async worker() {
    print(await buildWorker(`${DIST}/worker`));
  },
  async package() {
    await buildPackage(`${DIST}/package`);
    console.log('dist/package: the modules of the npm package');
  },
};

const names = values.only === undefined ? Object.keys(PARTS) : [values.only];
if (names.every((name) => Object.hasOwn(PARTS, name))) {
  for (const name of names) await PARTS[name]?.();
} else {
  console.error(USAGE);
  process.exitCode = 2;
}
