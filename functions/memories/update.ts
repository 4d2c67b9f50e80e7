import { updateMemory } from '../../lib/memory/memory-updates.ts';
import { updateMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateMemoryOperation = defineOperation(updateMemoryContract, (context, { parameters, body }) =>
  updateMemory(context, parameters.memoryId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateMemoryOperation], loadTokenizer);
