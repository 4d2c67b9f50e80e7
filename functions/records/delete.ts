import { deleteRecord } from '../../lib/memory/records.ts';
import { deleteRecordContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const deleteRecordOperation = defineOperation(
  deleteRecordContract,
  async (context, { parameters, query }) => ({
    deleted: await deleteRecord(context, parameters.recordType, parameters.recordId, query),
  }),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([deleteRecordOperation]);
