import { getExtraction } from '../../lib/memory/jobs.ts';
import { getExtractionContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getExtractionOperation = defineOperation(getExtractionContract, (context, { parameters }) =>
  getExtraction(context, parameters.threadId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getExtractionOperation]);
