import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { Figure } from './figure.ts';

/** The smallest function, one that counts tokens and wakes jobs, and the one for everything. */
const NAMES = ['threads-get', 'messages-add', 'api'];
const RUNS = 7;
const MEASURE = `
  const start = performance.now();
  await import(process.argv[1]);
  process.stdout.write(String(performance.now() - start));
`;

/** What a cold start adds to that of Node: the best of several fresh processes, since other work only adds. */
export async function moduleInitFigures(directory: string): Promise<readonly Figure[]> {
  const figures: Figure[] = [];
  for (const name of NAMES) {
    const samples: number[] = [];
    for (let run = 0; run < RUNS; run += 1) samples.push(await measure(join(directory, name, 'index.mjs')));
    figures.push({
      name: `${name}: module init in a fresh process, best of ${RUNS}`,
      value: Math.min(...samples),
      unit: 'ms',
      bound: 300,
    });
  }
  return figures;
}

async function measure(path: string): Promise<number> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module', '--eval', MEASURE, pathToFileURL(path).href],
    { env: {} },
  );
  return Number(stdout);
}
