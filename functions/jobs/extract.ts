import { runJob } from '../../lib/memory/extraction/run-job.ts';
import { readWakeUpMessage } from '../../lib/queue/wake-up-message.ts';
import { UNLIMITED } from '../../lib/schemas/caller-limits.ts';
import { createRequestMeter, requestCosts } from '../http/request-meter.ts';
import { survivedFailureLog } from '../http/survived-failure-log.ts';
import type { QueueJob } from '../queue-job.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';
import { sqsLambdaHandler } from '../runtime/sqs-lambda.ts';

/** Runs the extraction job that a message wakes (contract §8.3). */
export const extractJob: QueueJob = Object.freeze({
  name: 'extract',
  async run(services, body, signal) {
    const { jobId } = readWakeUpMessage(body);
    const meter = createRequestMeter();
    const context = await services.openContext(meter, signal, UNLIMITED);
    const reportFailure = survivedFailureLog(services.logger, { job: 'extract', jobId });
    return { ...(await runJob({ ...context, reportFailure }, jobId)), ...requestCosts(meter) };
  },
} satisfies QueueJob);

/** AWS Lambda entry of this job alone, for the event source of the queue. */
export const handler = /* @__PURE__ */ sqsLambdaHandler(extractJob, {
  loadTokenizer,
  createJobQueue: createLambdaJobQueue,
});
