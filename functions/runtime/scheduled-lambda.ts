import { runScheduledJob, type ScheduledJob } from '../scheduled-job.ts';
import type { Services } from '../services.ts';
import { endOfInvocation, type InvocationContext } from './invocation.ts';
import { type LambdaParts, openLambdaServices } from './lambda-services.ts';
import { withoutTokenizer } from './load-tokenizer.ts';
import { withoutJobQueue } from './without-job-queue.ts';

export type ScheduledLambdaHandler = (event: unknown, context: InvocationContext) => Promise<void>;

/**
 * The AWS Lambda handler of scheduled jobs: composition root of that runtime, as `lambdaHandler` is for operations. The
 * event is not read: whatever the schedule sends starts every job once. A failure fails the invocation. Jobs that wake
 * others pass what makes the queue.
 */
export function scheduledLambdaHandler(
  jobs: readonly ScheduledJob[],
  createJobQueue: LambdaParts['createJobQueue'] = withoutJobQueue,
): ScheduledLambdaHandler {
  let services: Services | undefined;
  return async (_event, context) => {
    services ??= await openLambdaServices({ loadTokenizer: withoutTokenizer, createJobQueue });
    const signal = endOfInvocation(context);
    for (const job of jobs) await runScheduledJob(job, services, signal);
  };
}
