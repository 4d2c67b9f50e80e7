import { listRecords } from '../../lib/memory/records.ts';
import { listRecordsContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listRecordsOperation = defineOperation(listRecordsContract, (context, { body }) =>
  listRecords(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listRecordsOperation]);
