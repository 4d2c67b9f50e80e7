import { retryJob } from '../../lib/memory/job-changes.ts';
import { retryJobContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const retryJobOperation = defineOperation(retryJobContract, (context, { parameters }) =>
  retryJob(context, parameters.jobId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler(
  [retryJobOperation],
  loadTokenizer,
  createLambdaJobQueue,
);
