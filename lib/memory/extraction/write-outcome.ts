import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Extraction } from '../../schemas/extraction.ts';
import type { Job } from '../../schemas/job.ts';
import type { ExtractionOutcome } from '../../store/extraction/extraction-outcome.ts';
import type { MemoryContext } from '../memory-context.ts';
import type { JobReason } from './failure-reason.ts';

/** Attempts at a write that the database could not run. */
const WRITE_ATTEMPTS = 2;

export const LOST_JOB: JobReason = {
  code: 'conflict',
  detail: 'The thread was deleted, the job was cancelled or another worker took it over.',
};

/** What a pass writes that found no memories: there is nothing to compare. */
const NO_FINDINGS = {
  memories: [],
  comparedWith: { memoryCount: 0, positionSum: 0 },
  supersededIds: [],
  summary: null,
} as const;

export function failedExtraction(jobId: string, reason: JobReason): Extraction {
  return { status: 'failed', jobId, reason };
}

/** What a job that has ended, in whatever state, tells of its extraction. */
export function toExtraction(
  jobId: string,
  { status, memoryIds, reason }: Pick<Job, 'status' | 'memoryIds' | 'reason'>,
): Extraction {
  if (status === 'succeeded') return { status: 'completed', jobId, memoryIds, ...(reason && { reason }) };
  return failedExtraction(jobId, reason ?? LOST_JOB);
}

/**
 * The job's end as it is stored, whoever wrote it; undefined while it has none or when it cannot be read. A job that is gone
 * or cancelled is lost to its worker.
 */
async function readEnd(context: MemoryContext, jobId: string): Promise<Extraction | 'lost' | undefined> {
  try {
    const job = await context.store.getJob(jobId);
    if (job === undefined || job.status === 'cancelled') return 'lost';
    const isOpen = job.status === 'pending' || job.status === 'running';
    return isOpen ? undefined : toExtraction(jobId, job);
  } catch (error) {
    context.reportFailure?.('extraction', error);
    return undefined;
  }
}

/**
 * Writes the outcome of a job and tells what is stored. When the write fails or finds that the job is no longer this
 * caller's, the job is read back: its answer may have been lost after the commit, and then what it wrote is the truth. Not
 * under the request's signal: an ended request must not leave the job hanging. One round trip; two more for each failed
 * attempt. Errors: those of the last attempt.
 *
 * @returns `other_memories` when nothing was written because the memories are no longer those that were compared with;
 *   `lost` when nothing was written because the job is no longer this caller's
 */
export async function writeOutcome(
  context: MemoryContext,
  outcome: ExtractionOutcome,
): Promise<Extraction | 'other_memories' | 'lost'> {
  const { jobId } = outcome;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const write = await context.store.finishExtraction(outcome);
      if (write === 'other_memories') return write;
      if (write === 'lost') return (await readEnd(context, jobId)) ?? 'lost';
      const memoryIds = outcome.memories.map((memory) => memory.id);
      return toExtraction(jobId, { ...outcome, memoryIds });
    } catch (error) {
      const end = await readEnd(context, jobId);
      const mayPass = AgentMemoryError.is(error) && error.retryable && attempt < WRITE_ATTEMPTS;
      if (end === undefined && !mayPass) throw error;
      context.reportFailure?.('extraction', error);
      if (end !== undefined) return end;
    }
  }
}

/** The same for an outcome without memories. */
export async function writeEnd(
  context: MemoryContext,
  end: Omit<ExtractionOutcome, keyof typeof NO_FINDINGS>,
): Promise<Extraction | 'lost'> {
  const write = await writeOutcome(context, { ...end, ...NO_FINDINGS });
  return write === 'other_memories' ? 'lost' : write;
}
