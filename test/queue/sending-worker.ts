import * as z from 'zod';
import type { WorkerEnvironment } from '../../functions/runtime/worker.ts';
import { createWorkerJobQueue } from '../../functions/runtime/worker-job-queue.ts';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { JobQueue } from '../../lib/queue/job-queue.ts';

const callSchema = z.object({
  queue: z.int(),
  call: z.enum(['send', 'close']),
  wakeUp: z.object({ jobId: z.string(), delaySeconds: z.number().optional() }).optional(),
});
const environmentSchema = z.object({
  url: z.string(),
  region: z.string(),
  endpoint: z.string(),
  credentials: z.object({ accessKeyId: z.string(), secretAccessKey: z.string() }),
});

const queues = new Map<number, JobQueue>();

/** A Worker that sends and closes as its requests say; its queues live as long as its isolate. */
export default {
  async fetch(request: Request, environment: WorkerEnvironment): Promise<Response> {
    const { queue: number, call, wakeUp } = callSchema.parse(await request.json());
    const config = environmentSchema.parse(environment.SQS);
    const queue = queues.get(number) ?? createWorkerJobQueue({ kind: 'sqs', ...config }, environment);
    queues.set(number, queue);
    try {
      if (call === 'close') await queue.close();
      else if (wakeUp !== undefined) await queue.send(wakeUp);
      return Response.json(null);
    } catch (error) {
      if (!AgentMemoryError.is(error)) throw error;
      const { code, message, issues, retryable } = error;
      return Response.json({ code, message, issues, retryable });
    }
  },
};
