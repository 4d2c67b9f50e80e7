import type { Variables } from '../../infra/schema-environment.ts';
import type { LiveRun } from './answer-sheet.ts';
import { runConformance, type SuiteResult } from './conformance/run-conformance.ts';
import { type LiveOptions, PARTS } from './live-options.ts';
import { PROBES } from './probes/all-probes.ts';
import { askProbe } from './probes/ask-probe.ts';
import type { ProbeDesk } from './probes/probe.ts';
import type { Product } from './product.ts';
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
export interface Connection {
  readonly raw: ProbeDesk['database'];
  readonly product: Product;
}

/**
 * Asks the questions and runs the cases, and drops what that created, also after a failure.
 *
 * @throws Error for a prefix that is in use, and the reason of the signal when it is aborted
 */
export async function runOnDatabases(
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

/** One after the other: two ways may lead to one schema. Gives what is left. */
export async function dropAll(
  connections: readonly Connection[],
  prefix: string,
): Promise<readonly ThrowAwayObject[]> {
  const left: ThrowAwayObject[] = [];
  for (const { raw } of connections) left.push(...(await dropObjects(raw, prefix)));
  return left;
}
