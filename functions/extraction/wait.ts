import { waitForExtraction } from '../../lib/memory/wait-for-extraction.ts';
import { waitForExtractionContract } from '../../lib/schemas/operations/jobs.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const waitForExtractionOperation = defineOperation(
  waitForExtractionContract,
  (context, { parameters, body }) => waitForExtraction(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([waitForExtractionOperation]);
