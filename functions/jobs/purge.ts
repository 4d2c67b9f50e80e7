import { scheduledLambdaHandler } from '../runtime/scheduled-lambda.ts';
import type { ScheduledJob } from '../scheduled-job.ts';

/** Removes expired records for good; reads have not shown them since they expired (contract §11). */
export const purgeJob: ScheduledJob = Object.freeze({
  name: 'purge',
  run: async (services, signal) => ({ ...(await services.purgeExpired({ signal })) }),
} satisfies ScheduledJob);

/** AWS Lambda entry of this job alone, for a schedule of EventBridge. */
export const handler = /* @__PURE__ */ scheduledLambdaHandler([purgeJob]);
