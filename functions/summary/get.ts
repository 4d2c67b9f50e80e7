import { getSummary } from '../../lib/memory/summary.ts';
import { getSummaryContract } from '../../lib/schemas/operations/context.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getSummaryOperation = defineOperation(getSummaryContract, (context, { parameters, body }) =>
  getSummary(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getSummaryOperation]);
