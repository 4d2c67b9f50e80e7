import { invalidRequest } from '../../lib/errors/agent-memory-error.ts';
import type { AwsCredentials, SqsQueueConfig } from '../../lib/queue/sqs/sqs-queue.ts';
import type { Environment } from './environment-schema.ts';
import { requiredVariable } from './required-variable.ts';
import type { Platform } from './transport-configuration.ts';

/** Where wake-ups of extraction jobs go. `local-sqs`: to the queue server of `npm start`. */
export type QueueConfiguration =
  | ({ readonly kind: 'sqs' } & SqsQueueConfig)
  | { readonly kind: 'local-sqs' | 'cloudflare-queue' | 'inline' };

/** @throws AgentMemoryError `invalid_request` naming the variable */
export function readQueue(environment: Environment, platform: Platform): QueueConfiguration {
  if (platform === 'local' && environment.JOB_QUEUE === 'cloudflare-queue') {
    throw invalidRequest('JOB_QUEUE', 'cloudflare-queue belongs to Workers: use sqs or inline');
  }
  if (environment.JOB_QUEUE !== 'sqs') return { kind: environment.JOB_QUEUE };
  if (platform === 'local' && environment.SQS_QUEUE_URL === undefined) {
    if (environment.SQS_ENDPOINT !== undefined) requiredVariable(environment, 'SQS_QUEUE_URL');
    return { kind: 'local-sqs' };
  }
  const url = requiredVariable(environment, 'SQS_QUEUE_URL');
  return {
    kind: 'sqs',
    url,
    region: regionOf(url) ?? requiredVariable(environment, 'AWS_REGION'),
    endpoint: environment.SQS_ENDPOINT,
    credentials: readCredentials(environment),
  };
}

/** Whether extraction may run after the answer: a deployed process ends with its requests, and with it what it still ran. */
export function runsInBackground({ kind }: QueueConfiguration, platform: Platform): boolean {
  return kind !== 'inline' || platform === 'local';
}

/** `https://sqs.eu-central-1.amazonaws.com/…`; a queue need not be in the region of whoever sends. */
function regionOf(url: string): string | undefined {
  return /^sqs\.([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(new URL(url).hostname)?.[1];
}

/** Both keys or neither: AWS Lambda and Workers give them by the environment, others by a profile or a role. */
function readCredentials(environment: Environment): AwsCredentials | undefined {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = environment;
  if (AWS_ACCESS_KEY_ID === undefined && AWS_SECRET_ACCESS_KEY === undefined) return undefined;
  return {
    accessKeyId: requiredVariable(environment, 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: requiredVariable(environment, 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: AWS_SESSION_TOKEN,
  };
}
