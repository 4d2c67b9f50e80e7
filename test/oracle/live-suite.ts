import { writeFile } from 'node:fs/promises';
import { explainFailure } from '../../infra/explain-failure.ts';
import { passes, renderAnswerSheet } from './answer-sheet.ts';
import { LIVE_USAGE, type LiveOptions, readLiveOptions } from './live-options.ts';
import { readLiveTargets } from './live-targets.ts';
import { readProduct } from './product.ts';
import { type Connection, dropAll, type LiveSuiteContext, runOnDatabases } from './run-on-databases.ts';

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
  const run = await runOnDatabases(connections, options, context);
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
