import { importRecords } from '../../lib/memory/user-import.ts';
import { importRecordsContract } from '../../lib/schemas/operations/governance.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

export const importRecordsOperation = defineOperation(importRecordsContract, (context, { body }) =>
  importRecords(context, body),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([importRecordsOperation], loadTokenizer);
