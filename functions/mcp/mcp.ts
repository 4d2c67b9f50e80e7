import { lambdaHandler } from '../runtime/lambda.ts';
import { createLambdaJobQueue } from '../runtime/lambda-job-queue.ts';
import { loadTokenizer } from '../runtime/load-tokenizer.ts';
import { mountMcp } from './mount-mcp.ts';

/** AWS Lambda entry of the MCP endpoint. */
export const handler = /* @__PURE__ */ lambdaHandler([], loadTokenizer, createLambdaJobQueue, mountMcp);
