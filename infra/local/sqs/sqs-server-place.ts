import * as z from 'zod';

/** What the thread of the server is started with. */
export const sqsThreadOptionsSchema = z.object({
  /** Where messages are kept; without it they end with the thread. */
  dataDirectory: z.string().optional(),
  visibilitySeconds: z.number(),
});
export type SqsThreadOptions = z.infer<typeof sqsThreadOptionsSchema>;

/** What the thread tells when its server listens. */
export const sqsServerPlaceSchema = z.object({
  port: z.number(),
  jobs: z.object({ url: z.string(), arn: z.string() }),
  deadLetterQueueUrl: z.string(),
});
export type SqsServerPlace = z.infer<typeof sqsServerPlaceSchema>;

/** Any region does, as long as it is always the same: queues belong to one. */
export const SQS_REGION = 'us-east-1';
