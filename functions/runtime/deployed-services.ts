import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { Tokenizer } from '../../lib/models/tokenizer.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import { createJsonLogger } from '../http/logger.ts';
import type { Services } from '../services.ts';
import { type Configuration, readConfiguration } from './configuration.ts';
import { createEmbedder, createLlm } from './create-models.ts';
import { type QueueConfiguration, runsInBackground } from './queue-configuration.ts';
import { createServices, type ServiceParts } from './services.ts';
import type { ThinConfiguration } from './thin-configuration.ts';

/** What differs between the runtimes. */
export interface RuntimeParts {
  readonly loadTokenizer: () => Promise<Tokenizer>;
  /** Asked when jobs run in the background. */
  readonly createJobQueue: (configuration: QueueConfiguration) => JobQueue;
  /** Opens a direct connection; absent where the driver does not run. */
  readonly openThinTransport?: (configuration: ThinConfiguration) => SqlTransport;
  /** What counts requests beyond one process, by their rate; absent where nothing does. */
  readonly findRateLimit?: ServiceParts['findRateLimit'];
  readonly writeLine: (line: string) => void;
}

/**
 * The services of a deployed process: Oracle over ORDS or a direct connection, models over HTTP. The same on AWS Lambda and Cloudflare
 * Workers, where each gives its own environment and log.
 *
 * @throws AgentMemoryError naming the variable that is missing, wrong or not available
 */
export function createDeployedServices(
  variables: Readonly<Record<string, unknown>>,
  { loadTokenizer, createJobQueue, openThinTransport, findRateLimit, writeLine }: RuntimeParts,
): Services {
  const configuration = readConfiguration(variables, 'deployed');
  return createServices({
    configuration,
    transport: createTransport(configuration, openThinTransport),
    embedder: createEmbedder(configuration.embedder),
    llm: createLlm(configuration.llm),
    loadTokenizer,
    jobQueue: runsInBackground(configuration.queue, 'deployed')
      ? createJobQueue(configuration.queue)
      : undefined,
    findRateLimit,
    logger: createJsonLogger(configuration.logLevel, writeLine),
  });
}

function createTransport(
  { transport }: Configuration,
  openThinTransport: RuntimeParts['openThinTransport'],
): SqlTransport {
  if (transport.kind === 'ords') return createOrdsTransport(transport.config);
  if (transport.kind === 'emulator') {
    throw invalidRequest('ORACLE_TRANSPORT', 'emulator belongs to npm start: use ords or thin');
  }
  if (openThinTransport === undefined) {
    throw invalidRequest('ORACLE_TRANSPORT', 'thin does not run on Cloudflare Workers: use ords');
  }
  return openThinTransport(transport.config);
}
