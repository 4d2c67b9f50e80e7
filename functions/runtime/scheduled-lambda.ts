import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { runScheduledJob, type ScheduledJob } from '../scheduled-job.ts';
import type { Services } from '../services.ts';
import type { RuntimeParts } from './deployed-services.ts';
import { withoutTokenizer } from './load-tokenizer.ts';
import { withoutJobQueue } from './without-job-queue.ts';

export type ScheduledLambdaHandler = () => Promise<void>;

/**
 * The AWS Lambda handler of scheduled jobs: composition root of that runtime, as `lambdaHandler` is for operations. The
 * event is not read: whatever the schedule sends starts every job once. A failure fails the invocation. Jobs that wake
 * others pass what makes the queue.
 */
export function scheduledLambdaHandler(
  jobs: readonly ScheduledJob[],
  createJobQueue: RuntimeParts['createJobQueue'] = withoutJobQueue,
): ScheduledLambdaHandler {
  let services: Services | undefined;
  return async () => {
    services ??= await createJobServices(createJobQueue);
    for (const job of jobs) await runScheduledJob(job, services);
  };
}

async function createJobServices(createJobQueue: RuntimeParts['createJobQueue']): Promise<Services> {
  const { createDeployedServices } = await import('./deployed-services.ts');
  try {
    const parts = { loadTokenizer: withoutTokenizer, createJobQueue, writeLine };
    return createDeployedServices(process.env, parts);
  } catch (cause) {
    throw new AgentMemoryError('internal', 'the job could not be started', { cause });
  }
}

function writeLine(line: string): void {
  console.log(line);
}
