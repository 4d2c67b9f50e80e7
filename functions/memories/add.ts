import { addMemory } from '../../lib/memory/memories.ts';
import { addMemoryContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addMemoryOperation = defineOperation(addMemoryContract, (context, { body }) =>
  addMemory(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addMemoryOperation], loadTokenizer);
