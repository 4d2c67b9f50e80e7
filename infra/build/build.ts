import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackage } from './build-package.ts';
import { type Bundle, buildLambdaFunctions, buildWorker } from './bundle.ts';
import { writeServerlessFunctions } from './serverless-functions.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const { values } = parseArgs({
  options: {
    'without-driver': { type: 'boolean', default: false },
    'package-only': { type: 'boolean', default: false },
  },
});

function print({ name, bytes }: Bundle): void {
  console.log(`${name.padEnd(28)} ${(bytes / 1_024).toFixed(0).padStart(7)} KiB`);
}

if (!values['package-only']) {
  const withDriver = !values['without-driver'];
  const bundles = await buildLambdaFunctions(`${DIST}/lambda`, { withDriver });
  for (const bundle of bundles) print(bundle);
  await writeServerlessFunctions(`${DIST}/lambda`, bundles);
  print(await buildWorker(`${DIST}/worker`));
}
await buildPackage(`${DIST}/package`);
console.log('dist/package: the modules of the npm package');
