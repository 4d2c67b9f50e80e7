import { sweepJobs } from '../../lib/memory/sweep-jobs.ts';
import { UNLIMITED } from '../../lib/schemas/caller-limits.ts';
import { createRequestMeter } from '../http/request-meter.ts';
import { survivedFailureLog } from '../http/survived-failure-log.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { scheduledLambdaHandler } from '../runtime/scheduled-lambda.ts';
import type { ScheduledJob } from '../scheduled-job.ts';

/** Wakes the extraction jobs that are due and that nobody works at, and removes what ended long ago. */
export const sweepJob: ScheduledJob = Object.freeze({
  name: 'sweep',
  async run(services, signal) {
    const context = await services.openContext(createRequestMeter(), signal, UNLIMITED);
    const reportFailure = survivedFailureLog(services.logger, { job: 'sweep' });
    return { ...(await sweepJobs({ ...context, reportFailure })) };
  },
} satisfies ScheduledJob);

/** AWS Lambda entry of this job alone, for a schedule of EventBridge. */
export const handler = /* @__PURE__ */ scheduledLambdaHandler([sweepJob], createLambdaJobQueue);
