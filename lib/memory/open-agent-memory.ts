import { systemClock } from '../clock.ts';
import { invalidRequest } from '../errors/agent-memory-error.ts';
import { createInlineQueue } from '../queue/inline/inline-queue.ts';
import { AgentMemory } from './agent-memory.ts';
import { type AgentMemoryOptions, checkOptions } from './agent-memory-options.ts';
import { joinParts, type MemoryParts } from './create-memory-context.ts';
import { runJob } from './extraction/run-job.ts';
import type { MemoryContext } from './memory-context.ts';
import { openDatabaseContext } from './open-database-context.ts';
import { readMemorySettings } from './read-memory-settings.ts';
import { sweepJobs } from './sweep-jobs.ts';

/** Options that say how a database is opened, which a store that is given was already. */
const DATABASE_OPTIONS = [
  'schemaPolicy',
  'migrations',
  'confirmRecreate',
  'memoryStoreId',
  'tableNamePrefix',
  'searchIndexSync',
  'memoryRetentionConfig',
  'vectorDim',
  'scopeBoost',
  'warn',
] as const satisfies readonly (keyof AgentMemoryOptions)[];

/**
 * Opens a memory store in this process (contract §3.1): checks the options, sees to the schema as far as `schemaPolicy`
 * allows, and gives the client. Importing connects to nothing. Opening takes one round trip with `require_existing`, one
 * more for a model in the database, and one embedding call only when neither the embedder nor `vectorDim` says how wide
 * the vectors are.
 *
 * `close` ends what runs in the background and stops taking more; the transport stays the caller's.
 *
 * @example
 * const transport = createOrdsTransport({ url, credentials });
 * const memory = await openAgentMemory({ transport, embedder, llm, tokenizer: await loadTokenizer() });
 * const thread = await memory.createThread({ userId: 'ana' });
 *
 * @throws AgentMemoryError `invalid_request` naming the option; `unsupported` for background extraction without a job
 * queue; `conflict` when the tables were made for other settings; `model_failed` when the width of the vectors could not
 * be learned; and what the database says
 */
export async function openAgentMemory(options: AgentMemoryOptions): Promise<AgentMemory> {
  checkOptions(options);
  refuseCombinations(options);
  const parts = readParts(options);
  const context = await openContext(options, parts);
  if (options.jobQueue !== 'inline') return new AgentMemory(context);
  const withQueue = runsJobsHere(context, options);
  await sweepJobs(withQueue);
  return new AgentMemory(withQueue);
}

function readParts(options: AgentMemoryOptions): MemoryParts {
  const { embedder, llm, tokenizer, jobQueue, clock = systemClock } = options;
  return {
    embedder,
    llm,
    tokenizer,
    clock,
    jobQueue: jobQueue === 'inline' ? undefined : jobQueue,
    settings: readMemorySettings(options),
  };
}

async function openContext(options: AgentMemoryOptions, parts: MemoryParts): Promise<MemoryContext> {
  const { store, transport, reportFailure } = options;
  if (transport !== undefined) {
    return { ...(await openDatabaseContext(transport, options, parts)), reportFailure };
  }
  if (store === undefined) throw invalidRequest('transport', 'give a transport, or a store that is open');
  const width = options.embedder?.dimensions ?? store.dimensions;
  if (width !== store.dimensions) {
    throw invalidRequest(
      'embedder',
      `makes vectors of ${width} dimensions, the store has ${store.dimensions}`,
    );
  }
  return { ...joinParts(store, parts), reportFailure };
}

/**
 * The same context with a queue that runs its jobs in this process. What an earlier process left is taken up by the sweep
 * that follows.
 */
function runsJobsHere(context: MemoryContext, { clock, reportFailure }: AgentMemoryOptions): MemoryContext {
  const jobQueue = createInlineQueue({
    clock: clock ?? systemClock,
    run: (jobId, signal) => runJob({ ...context, jobQueue, signal }, jobId),
    reportFailure: (error) => reportFailure?.('background_job', error),
  });
  return { ...context, jobQueue };
}

function refuseCombinations(options: AgentMemoryOptions): void {
  const { transport, store, embedder, searchStrategy } = options;
  if (transport !== undefined && store !== undefined) {
    throw invalidRequest('transport', 'give a transport or a store, not both');
  }
  const misplaced = DATABASE_OPTIONS.find((name) => options[name] !== undefined);
  if (store !== undefined && misplaced !== undefined) {
    throw invalidRequest(misplaced, 'needs a transport: the store that is given was opened with its own');
  }
  if (searchStrategy === 'hybrid' && embedder === undefined) {
    throw invalidRequest('embedder', 'must be given for the search strategy hybrid');
  }
}
