import { addThreadMemory } from '../../lib/memory/memories.ts';
import { addThreadMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addThreadMemoryOperation = defineOperation(
  addThreadMemoryContract,
  (context, { parameters, body }) => addThreadMemory(context, parameters.threadId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addThreadMemoryOperation], loadTokenizer);
