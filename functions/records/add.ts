import { addRecords } from '../../lib/memory/record-batches.ts';
import { addRecordsContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addRecordsOperation = defineOperation(addRecordsContract, (context, { body }) =>
  addRecords(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addRecordsOperation], loadTokenizer);
