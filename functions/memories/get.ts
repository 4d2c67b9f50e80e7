import { getMemory } from '../../lib/memory/memories.ts';
import { getMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getMemoryOperation = defineOperation(getMemoryContract, (context, { parameters }) =>
  getMemory(context, parameters.memoryId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getMemoryOperation]);
