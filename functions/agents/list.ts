import { listAgents } from '../../lib/memory/profiles.ts';
import { listAgentsContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listAgentsOperation = defineOperation(listAgentsContract, (context, { query }) =>
  listAgents(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listAgentsOperation]);
