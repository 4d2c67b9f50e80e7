import { updateThreadMemory } from '../../lib/memory/memory-updates.ts';
import { updateThreadMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateThreadMemoryOperation = defineOperation(
  updateThreadMemoryContract,
  (context, { parameters, body }) =>
    updateThreadMemory(context, parameters.threadId, parameters.memoryId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateThreadMemoryOperation], loadTokenizer);
