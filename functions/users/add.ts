import { addUser } from '../../lib/memory/profiles.ts';
import { addUserContract } from '../../lib/schemas/operations/profiles.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addUserOperation = defineOperation(addUserContract, (context, { body }) =>
  addUser(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addUserOperation], loadTokenizer);
