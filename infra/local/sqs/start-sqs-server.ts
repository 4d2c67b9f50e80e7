import { join } from 'node:path';
import type { FauxqsServer } from 'fauxqs';
import type { SqsQueueConfig } from '../../../lib/queue/sqs/sqs-queue.ts';

/** An SQS-compatible server on a loopback port, with the two queues of `serverless.yml`. */
export interface SqsServer {
  /** The jobs queue, as senders and pollers of this machine reach it. */
  readonly queue: SqsQueueConfig & { readonly endpoint: string };
  /** Amazon resource name of the jobs queue. */
  readonly queueArn: string;
  /** Where messages go whose consumer failed each time. */
  readonly deadLetterQueueUrl: string;
  stop(): Promise<void>;
}

export interface SqsServerOptions {
  /** Where messages are kept; without it they end with the process. */
  readonly dataDirectory: string | undefined;
  /** Seconds that a received message is hidden: six times what a consumer may take (AWS Lambda, SQS event sources). */
  readonly visibilitySeconds: number;
  /** @default a free one */
  readonly port?: number;
}

/** Any region does, as long as it is always the same: queues belong to one. */
const REGION = 'us-east-1';
const JOBS_QUEUE = 'agent-memory-jobs';
const DEAD_LETTER_QUEUE = 'agent-memory-jobs-dead';
/** Deliveries of a message before it is set aside, as in `serverless.yml`. */
const MAX_RECEIVE_COUNT = 3;

/** Starts the server. Messages that an earlier process left in the directory are delivered. */
export async function startSqsServer(options: SqsServerOptions): Promise<SqsServer> {
  const { dataDirectory, visibilitySeconds, port = 0 } = options;
  const { startFauxqs } = await import('fauxqs');
  const server = await startFauxqs({
    port,
    host: '127.0.0.1',
    logger: false,
    defaultRegion: REGION,
    ...(dataDirectory === undefined ? {} : { dataDir: join(dataDirectory, 'queue') }),
  });
  const dead = openQueue(server, DEAD_LETTER_QUEUE, {});
  const redrive = { deadLetterTargetArn: dead.arn, maxReceiveCount: MAX_RECEIVE_COUNT };
  const jobs = openQueue(server, JOBS_QUEUE, {
    VisibilityTimeout: String(visibilitySeconds),
    RedrivePolicy: JSON.stringify(redrive),
  });
  return {
    queue: {
      url: jobs.url,
      region: REGION,
      endpoint: `http://127.0.0.1:${server.port}`,
      credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
    },
    queueArn: jobs.arn,
    deadLetterQueueUrl: dead.url,
    stop: () => server.stop(),
  };
}

/** The queue as an earlier process left it: creating it again would forget its messages. */
function openQueue(
  server: FauxqsServer,
  name: string,
  attributes: Record<string, string>,
): { readonly url: string; readonly arn: string } {
  const found = server.inspectQueue(name);
  if (found !== undefined) return found;
  const { queueUrl: url, queueArn: arn } = server.createQueue(name, { region: REGION, attributes });
  return { url, arn };
}
