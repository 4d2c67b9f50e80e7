import { readFile } from 'node:fs/promises';
import { env } from 'node:process';
import { parseArgs } from 'node:util';
import * as z from 'zod';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import type { Fetch } from '../lib/client/http-connection.ts';
import { AgentMemoryError, invalidRequest } from '../lib/errors/agent-memory-error.ts';
import { identifierSchema } from '../lib/schemas/identifier.ts';
import { parseRequest } from '../lib/schemas/validation-issues.ts';
import { explainFailure } from './explain-failure.ts';
import { readExportDocument } from './import/export-document.ts';
import type { ImportPlan } from './import/import-plan.ts';
import { readMem0Export } from './import/mem0-export.ts';
import { runImport } from './import/run-import.ts';
import { readZepExport } from './import/zep-export.ts';

export const IMPORT_COMMAND_USAGE = `npm run import -- --from mem0|zep --file <export.json> [options]
  --url <address>      of the service. Without it AGENT_MEMORY_URL, else http://127.0.0.1:8787
  --api-key <key>      without it AGENT_MEMORY_API_KEY, if that is set
  --agent-id <id>      the agent that memories without one get; zep: needed, its threads and facts become this agent's
  --concurrency <n>    requests at once, 1 to 16. Without it: 4
  --dry-run            read and check the export, print what would be written, ask no service
Adds what is not there and changes nothing that is, so that the same command completes a run that was interrupted.
`;

const MOST_REQUESTS_AT_ONCE = 16;
const REQUESTS_AT_ONCE = 4;
const RETRIES = 5;

const optionsSchema = z.object({
  from: z.enum(['mem0', 'zep']),
  file: z.string().min(1),
  url: z.string(),
  apiKey: z.string().min(1).optional(),
  agentId: identifierSchema.optional(),
  concurrency: z.coerce.number().int().min(1).max(MOST_REQUESTS_AT_ONCE),
  dryRun: z.boolean(),
});
type ImportOptions = z.output<typeof optionsSchema>;

/** What the command takes from its process. */
export interface ImportCommandContext {
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly write: (text: string) => void;
  /** Reaches the service. @default the global `fetch` */
  readonly fetch?: Fetch;
}

/**
 * Runs one command line, without the program's name. Returns the exit code of the process: 0 when everything of the export
 * is there, 1 when something is wrong with it or the service fails, 2 for a command line that it does not understand.
 */
export async function runImportCommand(
  given: readonly string[],
  context: ImportCommandContext,
): Promise<number> {
  let options: ImportOptions;
  try {
    options = readOptions(given, context.variables);
  } catch (error) {
    context.write(`${explainFailure(error)}\n\n${IMPORT_COMMAND_USAGE}`);
    return 2;
  }
  try {
    const plan = await readPlan(options);
    if (options.dryRun) context.write(describePlan(plan));
    else await write(plan, options, context);
    context.write(describeLeftOut(plan));
    return 0;
  } catch (error) {
    context.write(`${explainFailure(error)}\n`);
    if (AgentMemoryError.is(error) && error.code !== 'invalid_request') {
      context.write('What was written stays. The same command goes on from there.\n');
    }
    return 1;
  }
}

function readOptions(given: readonly string[], variables: ImportCommandContext['variables']): ImportOptions {
  const { values } = parseArgs({
    args: [...given],
    strict: true,
    options: {
      from: { type: 'string' },
      file: { type: 'string' },
      url: { type: 'string' },
      'api-key': { type: 'string' },
      'agent-id': { type: 'string' },
      concurrency: { type: 'string' },
      'dry-run': { type: 'boolean' },
    },
  });
  return parseRequest(optionsSchema, {
    from: values.from,
    file: values.file,
    url: values.url ?? variables.AGENT_MEMORY_URL ?? 'http://127.0.0.1:8787',
    apiKey: values['api-key'] ?? variables.AGENT_MEMORY_API_KEY,
    agentId: values['agent-id'],
    concurrency: values.concurrency ?? REQUESTS_AT_ONCE,
    dryRun: values['dry-run'] ?? false,
  });
}

async function readPlan({ from, file, agentId }: ImportOptions): Promise<ImportPlan> {
  const document = readExportDocument(await readExport(file));
  return from === 'zep' ? readZepExport(document, agentId) : readMem0Export(document, agentId, new Date());
}

async function readExport(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (cause) {
    throw invalidRequest('--file', `${file} cannot be read`, cause);
  }
}

async function write(
  plan: ImportPlan,
  { url: baseUrl, apiKey, concurrency }: ImportOptions,
  { write: print, fetch }: ImportCommandContext,
): Promise<void> {
  const memory = createAgentMemoryClient({ baseUrl, apiKey, fetch, retries: RETRIES });
  await runImport(memory, plan, {
    concurrency,
    onDone: (kind, { added, unchanged, different }) =>
      print(`${kind}: ${added} added, ${unchanged} there already, ${different} there with another content\n`),
  });
}

function describePlan({ users, threads, memories }: ImportPlan): string {
  const messages = threads.reduce((total, thread) => total + thread.messages.length, 0);
  return `users: ${users.length}\nthreads: ${threads.length}\nmessages: ${messages}\nmemories: ${memories.length}\n`;
}

function describeLeftOut({ leftOut }: ImportPlan): string {
  return [...leftOut].map(([reason, times]) => `left out: ${reason}: ${times}\n`).join('');
}

if (import.meta.main) {
  process.exitCode = await runImportCommand(process.argv.slice(2), {
    variables: env,
    write: (text) => process.stdout.write(text),
  });
}
