import { updateUser } from '../../lib/memory/profiles.ts';
import { updateUserContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateUserOperation = defineOperation(updateUserContract, (context, { parameters, body }) =>
  updateUser(context, parameters.userId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateUserOperation], loadTokenizer);
