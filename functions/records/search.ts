import { searchRecords } from '../../lib/memory/records.ts';
import { searchRecordsContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const searchRecordsOperation = defineOperation(searchRecordsContract, (context, { body }) =>
  searchRecords(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([searchRecordsOperation], loadTokenizer);
