import { mountMcp } from '../mcp/mount-mcp.ts';
import { ALL_OPERATIONS } from '../operations.ts';
import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';

/** AWS Lambda entry of everything that is asked over HTTP, for deployments that prefer one function with fewer cold starts. */
export const handler = /* @__PURE__ */ lambdaHandler(
  ALL_OPERATIONS,
  loadTokenizer,
  createLambdaJobQueue,
  mountMcp,
);
