import { listJobs } from '../../lib/memory/jobs.ts';
import { listJobsContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listJobsOperation = defineOperation(listJobsContract, (context, { query }) =>
  listJobs(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listJobsOperation]);
