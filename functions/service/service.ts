import { lambdaHandler } from '../runtime/lambda.ts';

/** AWS Lambda entry of what stands outside the operations: health and the OpenAPI document. */
export const handler = lambdaHandler([]);
