import { addRecordBatches } from '../../lib/memory/record-batches.ts';
import { addRecordBatchesContract } from '../../lib/schemas/operations/records.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const addRecordBatchesOperation = defineOperation(addRecordBatchesContract, (context, { body }) =>
  addRecordBatches(context, body.batches),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([addRecordBatchesOperation], loadTokenizer);
