import { writeFile } from 'node:fs/promises';
import { explainFailure } from '../../infra/explain-failure.ts';
import type { Variables } from '../../infra/schema-environment.ts';
import { type LiveRun, passes, renderAnswerSheet } from './answer-sheet.ts';
import { runConformance, type SuiteResult } from './conformance/run-conformance.ts';
import { LIVE_USAGE, type LiveOptions, PARTS, readLiveOptions } from './live-options.ts';
import { type LiveTarget, readLiveTargets } from './live-targets.ts';
import { PROBES } from './probes/all-probes.ts';
import { askProbe } from './probes/ask-probe.ts';
import type { ProbeDesk } from './probes/probe.ts';
import { type Product, readProduct } from './product.ts';
import {
  dropObjects,
  findObjects,
  newPrefix,
  type ThrowAwayObject,
  throwAwayNames,
} from './throw-away-objects.ts';

/** What the suite takes from its process. */
export interface LiveSuiteContext {
  readonly variables: Variables;
  readonly write: (text: string) => void;
  /** Aborted when the process is told to end: what was created is dropped first. */
  readonly signal: AbortSignal;
}

/** One of the databases of a run. */
interface Connection {
  readonly raw: ReturnType<LiveTarget['openRaw']>;
  readonly product: Product;
}

/**
 * Runs one command line of `npm run test:oracle`, without the program's name.
 *
 * @returns The exit code: 0 when everything holds or no database is named, 1 when something does not, 2 for a wrong
 * command line
 */
export async function runLiveSuite(
  commandLine: readonly string[],
  context: LiveSuiteContext,
): Promise<number> {
  let options: LiveOptions | 'help';
  try {
    options = readLiveOptions(commandLine);
  } catch (error) {
    context.write(`${explainFailure(error)}\n\n${LIVE_USAGE}`);
    return 2;
  }
  if (options === 'help') {
    context.write(LIVE_USAGE);
    return 0;
  }
  try {
    return await runWith(options, context);
  } catch (error) {
    context.write(`${explainFailure(error)}\n`);
    return 1;
  }
}

async function runWith(options: LiveOptions, context: LiveSuiteContext): Promise<number> {
  const { targets, missing } = readLiveTargets(context.variables);
  const refused = missing.filter(({ name }) => options.require.includes(name));
  for (const { name, needs } of missing) context.write(`${name} is left out: it takes ${needs}.\n`);
  if (refused.length > 0) {
    context.write(`--require asks for ${refused.map(({ name }) => name).join(' and ')}.\n`);
    return 1;
  }
  if (targets.length === 0) {
    context.write('No database is named, so nothing was run.\n');
    return 0;
  }
  const connections: Connection[] = [];
  try {
    for (const target of targets) {
      const raw = target.openRaw();
      connections.push({ raw, product: await readProduct(raw) });
    }
    return options.drop === undefined
      ? await runAndTell(connections, options, context)
      : await dropAndTell(connections, options.drop, context);
  } finally {
    for (const { raw } of connections) await raw.close();
  }
}

async function runAndTell(
  connections: readonly Connection[],
  options: LiveOptions,
  context: LiveSuiteContext,
): Promise<number> {
  const run = await runOn(connections, options, context);
  const sheet = renderAnswerSheet(run);
  context.write(`\n${sheet}`);
  if (options.sheet !== undefined) await writeFile(options.sheet, sheet);
  return passes(run) ? 0 : 1;
}

async function dropAndTell(
  connections: readonly Connection[],
  prefix: string,
  { write }: LiveSuiteContext,
): Promise<number> {
  const left = await dropAll(connections, prefix);
  for (const { type, name } of left) write(`still there: ${type} ${name}\n`);
  if (left.length === 0) write(`Nothing is left whose name begins with ${prefix}.\n`);
  return left.length === 0 ? 0 : 1;
}

async function runOn(
  connections: readonly Connection[],
  options: LiveOptions,
  context: LiveSuiteContext,
): Promise<LiveRun> {
  const { parts, cases, prefix = newPrefix() } = options;
  const { variables, write, signal } = context;
  await refuseUsedPrefix(connections, prefix);
  write(
    `The name of everything that this run creates begins with ${prefix}. Should the run be cut off, drop it: npm run test:oracle -- --drop ${prefix}\n`,
  );
  let suites: readonly SuiteResult[] = [];
  let answers: LiveRun['answers'] = [];
  let leftBehind: readonly ThrowAwayObject[] = [];
  try {
    if (parts.includes('probes')) answers = await askProbes(connections, prefix, context);
    signal.throwIfAborted();
    suites = await runConformance({ prefix, parts, cases, variables, write, signal });
  } finally {
    leftBehind = await dropAll(connections, prefix);
  }
  return {
    askedAt: new Date(),
    products: new Map(connections.map(({ raw, product }) => [raw.transport, product])),
    parts,
    isWhole: parts.length === PARTS.length && cases === undefined,
    suites,
    answers,
    leftBehind,
  };
}

async function refuseUsedPrefix(connections: readonly Connection[], prefix: string): Promise<void> {
  for (const { raw } of connections) {
    const [object] = await findObjects(raw, prefix);
    if (object !== undefined) {
      throw new Error(`the prefix ${prefix} is in use: there is a ${object.type} ${object.name}`);
    }
  }
}

async function askProbes(
  connections: readonly Connection[],
  prefix: string,
  { write, signal }: LiveSuiteContext,
): Promise<LiveRun['answers']> {
  const answers: LiveRun['answers'][number][] = [];
  for (const probe of PROBES) {
    signal.throwIfAborted();
    write(`Question ${probe.number}: ${probe.question}\n`);
    const findings = [];
    for (const connection of connections) {
      findings.push(...(await askProbe(probe, deskOf(connection, connections, prefix))));
    }
    answers.push({ probe, findings });
  }
  return answers;
}

function deskOf({ raw, product }: Connection, all: readonly Connection[], prefix: string): ProbeDesk {
  const names = throwAwayNames(prefix, 'probes', raw.transport);
  return {
    database: raw,
    product,
    other: all.find((each) => each.raw !== raw)?.raw,
    names,
    name: (object) => `${names.prefix}${object}`,
  };
}

/** One after the other: two ways may lead to one schema. */
async function dropAll(
  connections: readonly Connection[],
  prefix: string,
): Promise<readonly ThrowAwayObject[]> {
  const left: ThrowAwayObject[] = [];
  for (const { raw } of connections) left.push(...(await dropObjects(raw, prefix)));
  return left;
}
