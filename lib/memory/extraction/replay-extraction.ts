import type { Extraction } from '../../schemas/extraction.ts';
import { QUEUE_FULL } from '../../store/jobs/job-lifecycle.ts';
import type { RecordedRequest } from '../../store/requests/recorded-request.ts';
import type { MemoryContext } from '../memory-context.ts';
import { replayLeftOut, type StoredMessages } from './admit-job.ts';
import { failedExtraction, toExtraction } from './write-outcome.ts';

/** A request that ended in the middle of its pass: without a queue nobody goes on. */
const ENDED = { code: 'timeout', detail: 'The request ended before the extraction did.' } as const;

/**
 * What a repeated request says of its extraction: what the first said, if it came to say it. No round trip; one for a job
 * that was left out. Errors: `extraction_queue_full` as the first time.
 */
export async function replayExtraction(
  context: MemoryContext,
  { job }: RecordedRequest,
  stored: StoredMessages,
): Promise<Extraction> {
  if (job === undefined) return { status: 'none', jobId: null };
  const { jobId, status, reason } = job;
  if (status === 'pending') return { status: 'queued', jobId };
  if (status === 'running') {
    return context.jobQueue === undefined ? failedExtraction(jobId, ENDED) : { status: 'queued', jobId };
  }
  if (status === 'cancelled' && reason?.code === QUEUE_FULL) return replayLeftOut(context, jobId, stored);
  return toExtraction(jobId, job);
}
