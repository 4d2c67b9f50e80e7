import { updateRecord } from '../../lib/memory/record-updates.ts';
import { updateRecordContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const updateRecordOperation = defineOperation(updateRecordContract, (context, { parameters, body }) =>
  updateRecord(context, parameters.recordType, parameters.recordId, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([updateRecordOperation], loadTokenizer);
