import { listUsers } from '../../lib/memory/profiles.ts';
import { listUsersContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listUsersOperation = defineOperation(listUsersContract, (context, { query }) =>
  listUsers(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listUsersOperation]);
