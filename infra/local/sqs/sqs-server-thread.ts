import { once } from 'node:events';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { type FauxqsServer, startFauxqs } from 'fauxqs';
import { SQS_REGION, type SqsServerPlace, sqsThreadOptionsSchema } from './sqs-server-place.ts';

const JOBS_QUEUE = 'agent-memory-jobs';
const DEAD_LETTER_QUEUE = 'agent-memory-jobs-dead';
/** Deliveries of a message before it is set aside, as in `serverless.yml`. */
const MAX_RECEIVE_COUNT = 3;

/** The queue as an earlier process left it: creating it again would forget its messages. */
function openQueue(
  server: FauxqsServer,
  name: string,
  attributes: Record<string, string>,
): { readonly url: string; readonly arn: string } {
  const found = server.inspectQueue(name);
  if (found !== undefined) return { url: found.url, arn: found.arn };
  const { queueUrl: url, queueArn: arn } = server.createQueue(name, { region: SQS_REGION, attributes });
  return { url, arn };
}

if (parentPort === null) throw new Error('This file is the program of a thread.');
const { dataDirectory, visibilitySeconds } = sqsThreadOptionsSchema.parse(workerData);
const server = await startFauxqs({
  port: 0,
  host: '127.0.0.1',
  logger: false,
  defaultRegion: SQS_REGION,
  ...(dataDirectory === undefined ? {} : { dataDir: join(dataDirectory, 'queue') }),
});
const dead = openQueue(server, DEAD_LETTER_QUEUE, {});
const jobs = openQueue(server, JOBS_QUEUE, {
  VisibilityTimeout: String(visibilitySeconds),
  RedrivePolicy: JSON.stringify({ deadLetterTargetArn: dead.arn, maxReceiveCount: MAX_RECEIVE_COUNT }),
});
const stop = once(parentPort, 'message');
parentPort.postMessage({ port: server.port, jobs, deadLetterQueueUrl: dead.url } satisfies SqsServerPlace);
await stop;
await server.stop();
parentPort.close();
