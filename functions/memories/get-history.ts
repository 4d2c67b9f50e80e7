import { getMemoryHistory } from '../../lib/memory/governance.ts';
import { getMemoryHistoryContract } from '../../lib/schemas/operations/governance.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getMemoryHistoryOperation = defineOperation(
  getMemoryHistoryContract,
  (context, { parameters, query }) => getMemoryHistory(context, parameters.memoryId, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getMemoryHistoryOperation]);
