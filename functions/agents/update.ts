import { updateAgent } from '../../lib/memory/profiles.ts';
import { updateAgentContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateAgentOperation = defineOperation(updateAgentContract, (context, { parameters, body }) =>
  updateAgent(context, parameters.agentId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateAgentOperation], loadTokenizer);
