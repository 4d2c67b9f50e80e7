import { deleteThreadMemory } from '../../lib/memory/memories.ts';
import { deleteThreadMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteThreadMemoryOperation = defineOperation(
  deleteThreadMemoryContract,
  async (context, { parameters }) => ({
    deleted: await deleteThreadMemory(context, parameters.threadId, parameters.memoryId),
  }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteThreadMemoryOperation]);
