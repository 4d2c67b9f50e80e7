import { getJob } from '../../lib/memory/jobs.ts';
import { getJobContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getJobOperation = defineOperation(getJobContract, (context, { parameters }) =>
  getJob(context, parameters.jobId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getJobOperation]);
