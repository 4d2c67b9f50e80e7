import type { QueueJob } from '../queue-job.ts';
import type { Services } from '../services.ts';
import { type LambdaParts, openLambdaServices } from './lambda-services.ts';
import { createSqsHandler, type SqsHandler } from './sqs-handler.ts';

/** The AWS Lambda handler of a queue: composition root of that runtime, as `lambdaHandler` is for operations. */
export function sqsLambdaHandler(job: QueueJob, parts: LambdaParts): SqsHandler {
  let services: Services | undefined;
  return createSqsHandler(job, async () => {
    services ??= await openLambdaServices(parts);
    return services;
  });
}
