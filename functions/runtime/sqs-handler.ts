import * as z from 'zod';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { type QueueJob, runQueueJob } from '../queue-job.ts';
import type { Services } from '../services.ts';
import { endOfInvocation, type InvocationContext } from './invocation.ts';

/** What is read of the event of an SQS event source; a message has much more. */
const eventSchema = z.object({
  Records: z.array(z.object({ messageId: z.string(), body: z.string() })),
});

/** The messages that failed and have to come again; the event source deletes the others. */
export interface SqsBatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

export type SqsHandler = (event: unknown, context: InvocationContext) => Promise<SqsBatchResponse>;

/**
 * The handler of an SQS event source with `ReportBatchItemFailures`: the messages of an event at once, each for itself.
 * Work is told to stop ten seconds before the invocation ends.
 */
export function createSqsHandler(job: QueueJob, openServices: () => Promise<Services>): SqsHandler {
  return async (event, context) => {
    const parsed = eventSchema.safeParse(event);
    if (!parsed.success) throw new AgentMemoryError('internal', 'the event is not one of Amazon SQS');
    const services = await openServices();
    const signal = endOfInvocation(context);
    const results = await Promise.all(
      parsed.data.Records.map(async ({ messageId, body }) => ({
        itemIdentifier: messageId,
        isHandled: await runQueueJob(job, services, body, signal),
      })),
    );
    return {
      batchItemFailures: results
        .filter(({ isHandled }) => !isHandled)
        .map(({ itemIdentifier }) => ({ itemIdentifier })),
    };
  };
}
