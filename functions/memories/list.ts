import { listMemories } from '../../lib/memory/memories.ts';
import { listMemoriesContract } from '../../lib/schemas/operations/memories.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listMemoriesOperation = defineOperation(listMemoriesContract, (context, { query }) =>
  listMemories(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listMemoriesOperation]);
