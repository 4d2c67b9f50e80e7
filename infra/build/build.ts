import { fileURLToPath } from 'node:url';
import { type Bundle, buildLambdaFunctions, buildWorker } from './bundle.ts';

const DIST = fileURLToPath(new URL('../../dist', import.meta.url));

function print({ name, bytes }: Bundle): void {
  console.log(`${name.padEnd(28)} ${(bytes / 1_024).toFixed(0).padStart(7)} KiB`);
}

for (const bundle of await buildLambdaFunctions(`${DIST}/lambda`)) print(bundle);
print(await buildWorker(`${DIST}/worker`));
