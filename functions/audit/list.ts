import { listAudit } from '../../lib/memory/governance.ts';
import { listAuditContract } from '../../lib/schemas/operations/governance.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';

export const listAuditOperation = defineOperation(listAuditContract, (context, { query }) =>
  listAudit(context, query),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([listAuditOperation]);
