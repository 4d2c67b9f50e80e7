import { writeCursor } from '../schemas/cursor.ts';
import type { Job, JobPage, ListJobsRequest, ThreadExtraction } from '../schemas/job.ts';
import { DEFAULT_PAGE_LIMIT } from '../schemas/page.ts';
import { takeWithinAnswer } from './answer-size.ts';
import type { MemoryContext } from './memory-context.ts';
import { requireFound } from './not-found.ts';

/** Reads an extraction job. One round trip. Errors: `not_found`. */
export async function getJob(context: MemoryContext, jobId: string): Promise<Job> {
  return requireFound(await context.store.getJob(jobId, { signal: context.signal }), 'job', jobId);
}

/**
 * Extraction jobs of a thread or of all, in one state or in any, newest first; stable while others write (HTTP API
 * contract, Conventions). One round trip.
 */
export async function listJobs(context: MemoryContext, request: ListJobsRequest): Promise<JobPage> {
  const { threadId, status, limit = DEFAULT_PAGE_LIMIT, cursor } = request;
  const { jobs, more } = await context.store.listJobs(
    { threadId, status, before: cursor, limit },
    { signal: context.signal },
  );
  const items = takeWithinAnswer(jobs.map(({ job }) => job));
  const last = jobs[items.length - 1];
  const goesOn = more || items.length < jobs.length;
  return {
    items: [...items],
    nextCursor: goesOn && last !== undefined ? writeCursor('jobs', last.position) : null,
  };
}

/** Jobs of a thread by state and the latest 20 of them, newest first. One round trip. Errors: `not_found`. */
export async function getExtraction(context: MemoryContext, threadId: string): Promise<ThreadExtraction> {
  const stored = await context.store.readThreadExtraction(threadId, { signal: context.signal });
  const extraction = requireFound(stored, 'thread', threadId);
  return { ...extraction, jobs: [...takeWithinAnswer(extraction.jobs)] };
}
