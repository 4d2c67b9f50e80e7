import { deleteMemory } from '../../lib/memory/memories.ts';
import { deleteMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteMemoryOperation = defineOperation(
  deleteMemoryContract,
  async (context, { parameters }) => ({ deleted: await deleteMemory(context, parameters.memoryId) }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteMemoryOperation]);
