import { getUser } from '../../lib/memory/profiles.ts';
import { getUserContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getUserOperation = defineOperation(getUserContract, (context, { parameters }) =>
  getUser(context, parameters.userId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getUserOperation]);
