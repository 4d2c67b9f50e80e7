import { getAgent } from '../../lib/memory/profiles.ts';
import { getAgentContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getAgentOperation = defineOperation(getAgentContract, (context, { parameters }) =>
  getAgent(context, parameters.agentId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getAgentOperation]);
