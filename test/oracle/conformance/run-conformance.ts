import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Part } from '../live-options.ts';
import { notePrefix } from '../throw-away-objects.ts';
import { PREFIX_VARIABLE } from './prefix-variable.ts';

/** What became of the cases of one level over one transport. */
export interface SuiteResult {
  readonly title: string;
  readonly passed: number;
  /** Not chosen by the pattern. */
  readonly skipped: number;
  /** Titles of the cases that failed, with the first line of the reason. */
  readonly failures: readonly string[];
}

export interface ConformanceOptions {
  readonly prefix: string;
  readonly parts: readonly Part[];
  /** Only the cases whose title matches. */
  readonly cases: string | undefined;
  /** The environment of this process: it names the databases. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  /** Aborted when no further case is to start. */
  readonly signal: AbortSignal;
}

const ROOT = join(import.meta.dirname, '../../..');

/** What Vitest writes of a run, as far as it is read here (Vitest, "JSON Reporter"). */
const report = z.looseObject({
  testResults: z.array(
    z.looseObject({
      name: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.looseObject({
          ancestorTitles: z.array(z.string()),
          title: z.string(),
          status: z.string(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
});
type FileReport = z.infer<typeof report>['testResults'][number];

/**
 * Runs the conformance cases of the parts that have any, and prints how it goes. They have a process of their own, so that
 * this one can drop what was created whatever becomes of it.
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly SuiteResult[]> {
  const files = options.parts.filter((part) => part !== 'probes').map((part) => `${part}.live.ts`);
  if (files.length === 0) return [];
  const directory = await mkdtemp(join(tmpdir(), 'live-suite-'));
  try {
    const output = join(directory, 'report.json');
    await runVitest(files, output, options);
    const written = await readFile(output, 'utf8').catch((cause: unknown) => {
      throw new Error('the conformance cases came to no end', { cause });
    });
    const suites = report.parse(JSON.parse(written)).testResults.flatMap(resultsOf);
    if (suites.every(({ passed, failures }) => passed + failures.length === 0)) {
      throw new Error('no case has a title that matches --cases');
    }
    return suites;
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function runVitest(
  files: readonly string[],
  output: string,
  options: ConformanceOptions,
): Promise<void> {
  const { prefix, cases, variables, write, signal } = options;
  const command = [
    join(ROOT, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--config',
    join(import.meta.dirname, '../vitest.config.ts'),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${output}`,
    ...(cases === undefined ? [] : ['--testNamePattern', cases]),
    ...files,
  ];
  const environment = { ...variables, [PREFIX_VARIABLE]: prefix, CONFORMANCE_PREFIX: notePrefix(prefix) };
  const child = spawn(process.execPath, command, {
    cwd: ROOT,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = (): void => void child.kill();
  signal.addEventListener('abort', end);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => write(text));
  }
  await once(child, 'close');
  signal.removeEventListener('abort', end);
  signal.throwIfAborted();
}

/** A file that could not be run is a failure of its own. */
function resultsOf({ name, message, assertionResults }: FileReport): readonly SuiteResult[] {
  const titles = [...new Set(assertionResults.map(({ ancestorTitles }) => ancestorTitles[0] ?? name))];
  const suites = titles.map((title) =>
    resultOf(
      title,
      assertionResults.filter(({ ancestorTitles }) => (ancestorTitles[0] ?? name) === title),
    ),
  );
  const broken: SuiteResult = { title: name, passed: 0, skipped: 0, failures: [firstLine(message)] };
  return message === '' ? suites : [broken, ...suites];
}

function resultOf(title: string, tests: FileReport['assertionResults']): SuiteResult {
  const failed = tests.filter(({ status }) => status === 'failed');
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return {
    title,
    passed,
    skipped: tests.length - failed.length - passed,
    failures: failed.map((test) => `${test.title}: ${firstLine(test.failureMessages?.[0] ?? '')}`),
  };
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
