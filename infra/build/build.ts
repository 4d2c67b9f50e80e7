import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type Bundle, buildLambdaFunctions, buildWorker } from './bundle.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

const { values } = parseArgs({ options: { 'without-driver': { type: 'boolean', default: false } } });

function print({ name, bytes }: Bundle): void {
  console.log(`${name.padEnd(28)} ${(bytes / 1_024).toFixed(0).padStart(7)} KiB`);
}

const withDriver = !values['without-driver'];
for (const bundle of await buildLambdaFunctions(`${DIST}/lambda`, { withDriver })) print(bundle);
print(await buildWorker(`${DIST}/worker`));
