import { createHash } from 'node:crypto';

/** One record of an event as the SQS event source of AWS Lambda delivers it. */
export function sqsRecord(body: string, messageId: string = crypto.randomUUID(), receiveCount = 1) {
  return {
    messageId,
    receiptHandle: 'AQEBwJnKyrHigUMZj6rYigCgxlaS3SLy0a',
    body,
    attributes: {
      ApproximateReceiveCount: String(receiveCount),
      SentTimestamp: '1764460800000',
      SenderId: 'AIDAIENQZJOLO23YVJ4VO',
      ApproximateFirstReceiveTimestamp: '1764460800012',
    },
    messageAttributes: {},
    md5OfBody: createHash('md5').update(body).digest('hex'),
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:jobs',
    awsRegion: 'eu-central-1',
  };
}

/** An event with these records. */
export function sqsEvent(...records: readonly ReturnType<typeof sqsRecord>[]) {
  return { Records: records };
}

/** The context of an invocation that ends in so many milliseconds. */
export function invocation(milliseconds = 300_000) {
  return {
    functionName: 'agent-memory-functions-prod-extract',
    functionVersion: '$LATEST',
    memoryLimitInMB: '512',
    awsRequestId: '8f507cfc-example-4697-b07a-ac58fc914c95',
    getRemainingTimeInMillis: () => milliseconds,
  };
}
