import { addAgent } from '../../lib/memory/profiles.ts';
import { addAgentContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addAgentOperation = defineOperation(addAgentContract, (context, { body }) =>
  addAgent(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addAgentOperation], loadTokenizer);
