import { getRecord } from '../../lib/memory/records.ts';
import { getRecordContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const getRecordOperation = defineOperation(getRecordContract, (context, { parameters }) =>
  getRecord(context, parameters.recordType, parameters.recordId),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([getRecordOperation]);
