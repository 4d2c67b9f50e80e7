import { extractJob } from '../../functions/jobs/extract.ts';
import { type QueueJob, runQueueJob } from '../../functions/queue-job.ts';
import type { QueueConfiguration } from '../../functions/runtime/queue-configuration.ts';
import { createSqsHandler } from '../../functions/runtime/sqs-handler.ts';
import type { Services } from '../../functions/services.ts';
import type { Clock } from '../../lib/clock.ts';
import { createInlineQueue } from '../../lib/queue/inline/inline-queue.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';
import { createSqsQueue, type SqsQueueConfig } from '../../lib/queue/sqs/sqs-queue.ts';
import { startSqsPoller } from './sqs/start-sqs-poller.ts';
import { startSqsServer } from './sqs/start-sqs-server.ts';

/** The job queue of a local service, with its consumer in the same process. */
export interface LocalQueue {
  readonly jobQueue: JobQueue;
  /** Where the queue is, for the person at the terminal. */
  readonly place: string;
  /** Consumes with these services, until `stop`. */
  consume(services: Services): void;
  /** Hands back what runs and takes no further message. */
  stop(): Promise<void>;
  /** Ends the server of the queue, if this process started one. After `stop`. */
  close(): Promise<void>;
}

export interface LocalQueueOptions {
  /** Where the queue server of this process keeps its messages; without it they end with the process. */
  readonly dataDirectory: string | undefined;
  readonly clock: Clock;
  readonly reportFailure: (error: unknown) => void;
}

/** What an invocation may take, and how long its message is hidden: `extract` in `serverless.yml`. */
const FUNCTION_TIMEOUT_SECONDS = 300;
const VISIBILITY_SECONDS = 6 * FUNCTION_TIMEOUT_SECONDS;

/** Opens the queue that is configured; `local-sqs` starts its own server on a loopback port. */
export async function openLocalQueue(
  configuration: QueueConfiguration,
  options: LocalQueueOptions,
): Promise<LocalQueue> {
  if (configuration.kind === 'inline') return openInlineQueue(options);
  if (configuration.kind === 'sqs') return openSqsQueue(configuration, arnOf(configuration), options);
  const { dataDirectory } = options;
  const server = await startSqsServer({ dataDirectory, visibilitySeconds: VISIBILITY_SECONDS });
  const queue = openSqsQueue(server.queue, server.queueArn, options);
  return { ...queue, place: `an SQS server on ${server.queue.endpoint}`, close: () => server.stop() };
}

function openInlineQueue({ clock, reportFailure }: LocalQueueOptions): LocalQueue {
  const consumer = Promise.withResolvers<Services>();
  const jobQueue = createInlineQueue({
    clock,
    reportFailure,
    async run(jobId, signal) {
      await runQueueJob(extractJob, await consumer.promise, { jobId }, signal);
    },
  });
  return {
    jobQueue,
    place: 'this process',
    consume: (services) => consumer.resolve(services),
    stop: () => jobQueue.close({ timeoutSeconds: 0 }),
    close: () => Promise.resolve(),
  };
}

function openSqsQueue(queue: SqsQueueConfig, queueArn: string, options: LocalQueueOptions): LocalQueue {
  const stopping = new AbortController();
  let stopPolling = (): Promise<void> => Promise.resolve();
  return {
    jobQueue: createSqsQueue(queue),
    place: queue.endpoint ?? queue.url,
    consume(services) {
      const job = withSignal(extractJob, stopping.signal);
      const poller = startSqsPoller({
        server: { queue, queueArn },
        handler: createSqsHandler(job, async () => services),
        functionTimeoutSeconds: FUNCTION_TIMEOUT_SECONDS,
        reportFailure: options.reportFailure,
        clock: options.clock,
      });
      stopPolling = () => poller.stop();
    },
    async stop() {
      stopping.abort();
      await stopPolling();
    },
    close: () => Promise.resolve(),
  };
}

/** The job, handing its work back also when this process ends. */
function withSignal(job: QueueJob, ending: AbortSignal): QueueJob {
  return {
    name: job.name,
    run: (services, body, signal) => job.run(services, body, AbortSignal.any([signal, ending])),
  };
}

/** `https://sqs.<region>.amazonaws.com/<account>/<name>` names what the resource name does. */
function arnOf({ url, region }: SqsQueueConfig): string {
  const [account = '', name = ''] = new URL(url).pathname.split('/').slice(-2);
  return `arn:aws:sqs:${region}:${account}:${name}`;
}
