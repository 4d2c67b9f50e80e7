import { deleteUser } from '../../lib/memory/profiles.ts';
import { deleteUserContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteUserOperation = defineOperation(
  deleteUserContract,
  async (context, { parameters, query }) => ({
    deleted: await deleteUser(context, parameters.userId, query),
  }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteUserOperation]);
