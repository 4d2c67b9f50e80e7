import { deleteAgent } from '../../lib/memory/profiles.ts';
import { deleteAgentContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteAgentOperation = defineOperation(
  deleteAgentContract,
  async (context, { parameters, query }) => ({
    deleted: await deleteAgent(context, parameters.agentId, query),
  }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteAgentOperation]);
