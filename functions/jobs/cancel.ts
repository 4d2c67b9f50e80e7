import { cancelJob } from '../../lib/memory/job-changes.ts';
import { cancelJobContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { withoutTokenizer } from '../runtime/load-tokenizer.ts';

export const cancelJobOperation = defineOperation(cancelJobContract, (context, { parameters }) =>
  cancelJob(context, parameters.jobId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler(
  [cancelJobOperation],
  withoutTokenizer,
  createLambdaJobQueue,
);
