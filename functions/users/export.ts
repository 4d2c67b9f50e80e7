import { exportUser } from '../../lib/memory/user-export.ts';
import { exportUserContract } from '../../lib/schemas/operations/governance.ts';
import { defineOperation } from '../operation.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { StreamedLines } from '../streamed-lines.ts';

export const exportUserOperation = defineOperation(exportUserContract, (context, { parameters, query }) =>
  StreamedLines.open(exportUser(context, parameters.userId, query)),
);

/** AWS Lambda entry of this operation alone. */
export const handler = /* @__PURE__ */ lambdaHandler([exportUserOperation]);
