import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { type Bundle, buildLambdaFunctions, buildWorker } from '../infra/build/bundle.ts';
import { workerSizes } from '../infra/build/worker-sizes.ts';
import type { Figure } from './figure.ts';
import { lambdaFigures } from './lambda-figures.ts';
import { moduleInitFigures } from './module-init-figures.ts';
import { workerFigures } from './worker-figures.ts';

/** What is deployed: its size, the time until it can answer, and what it costs to answer. */
export async function deploymentFigures(): Promise<readonly Figure[]> {
  const directory = await mkdtemp(join(tmpdir(), 'deployment-figures-'));
  const lambda = join(directory, 'lambda');
  const worker = join(directory, 'worker');
  try {
    const bundles = await buildLambdaFunctions(lambda);
    await buildWorker(worker);
    return [
      ...(await workerSizeFigures(worker)),
      ...(await archiveFigures(lambda, bundles)),
      ...(await moduleInitFigures(lambda)),
      ...(await lambdaFigures(lambda)),
      ...(await workerFigures(worker)),
    ];
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function workerSizeFigures(directory: string): Promise<readonly Figure[]> {
  const { compressed, withoutRanks } = await workerSizes(directory);
  return [
    { name: 'Worker, gzip', value: compressed / 1_000, unit: 'KB', bound: 2_500 },
    { name: 'Worker without the rank table, gzip', value: withoutRanks / 1_000, unit: 'KB', bound: 700 },
  ];
}

/** The largest archive of each kind; what a zip adds to its compressed files is less than a thousandth. */
async function archiveFigures(directory: string, bundles: readonly Bundle[]): Promise<readonly Figure[]> {
  const largest = { with: 0, without: 0 };
  for (const { name, modules } of bundles) {
    const kind = modules.some((path) => path.endsWith('o200k_base.json')) ? 'with' : 'without';
    largest[kind] = Math.max(largest[kind], await archiveBytes(join(directory, name)));
  }
  return [
    { name: 'largest function, zip', value: largest.without / 1_000, unit: 'KB', bound: 700 },
    {
      name: 'largest function that counts tokens, zip',
      value: largest.with / 1_000,
      unit: 'KB',
      bound: 2_200,
    },
  ];
}

async function archiveBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  return contents.reduce((sum, content) => sum + deflateRawSync(content).byteLength, 0);
}
