import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { JOB_STATUSES, type Job, type JobStatus, type ThreadExtraction } from '../../lib/schemas/job.ts';
import type { ExtractionOutcome } from '../../lib/store/extraction/extraction-outcome.ts';
import { QUEUE_FULL, QUEUE_FULL_DETAIL } from '../../lib/store/jobs/job-lifecycle.ts';
import type { ExtractionProgress, JobList, ListedJobs } from '../../lib/store/jobs/job-store.ts';
import type { JobOutcome, JobStart } from '../../lib/store/messages/stored-message.ts';

/** A job with what the store knows beside what it shows. */
export interface HeldJob {
  readonly threadId: string;
  leaseToken: string | undefined;
  /** In milliseconds of the clock, as `wokenAt`. */
  leaseUntil: number;
  lostAttempts: number;
  /** Whether a worker has claimed it, and not only the request that wrote it. */
  isClaimed: boolean;
  wokenAt: number | undefined;
  readonly fromSequence: number;
  readonly uptoSequence: number;
  readonly isEdit: boolean;
  shown: Job;
  outcome: ExtractionOutcome | undefined;
}

/** What a write found due, when it was something. */
export type FoundJob = Exclude<JobOutcome['job'], 'none'>;

const UNSUPPORTED = {
  code: 'unsupported',
  detail: 'Extraction needs a language model and none is configured.',
};
const LEFT_OUT = { code: QUEUE_FULL, detail: QUEUE_FULL_DETAIL };

export function pendingJobs(jobs: ReadonlyMap<string, HeldJob>): number {
  return [...jobs.values()].filter(({ shown }) => shown.status === 'pending').length;
}

/** True for a job that the queue had no room for. */
export function isLeftOut({ status, reason }: Job): boolean {
  return status === 'cancelled' && reason?.code === QUEUE_FULL;
}

function startFields(found: FoundJob, now: string) {
  const waiting = { attempt: 0, nextAttemptAt: null, reason: null, startedAt: null, finishedAt: null };
  switch (found) {
    case 'running':
      return { ...waiting, status: 'running', attempt: 1, startedAt: now } as const;
    case 'pending':
      return { ...waiting, status: 'pending', nextAttemptAt: now } as const;
    case 'full':
      return { ...waiting, status: 'cancelled', reason: LEFT_OUT, finishedAt: now } as const;
    case 'unsupported':
      return { ...waiting, status: 'failed', reason: UNSUPPORTED, finishedAt: now } as const;
  }
}

/** A job as it starts. */
export function startedJob(
  start: JobStart,
  found: FoundJob,
  { threadId, messageIds }: Pick<Job, 'threadId' | 'messageIds'>,
  now: string,
): Job {
  return {
    jobId: start.jobId,
    threadId,
    maxAttempts: start.maxAttempts,
    messageIds,
    memoryIds: [],
    llmCalls: 0,
    promptTokens: null,
    completionTokens: null,
    createdAt: now,
    ...startFields(found, now),
  };
}

/** Adds what an attempt took; unknown stays unknown until a model tells. */
export function withUsage(job: Job, usage: Pick<Job, 'llmCalls' | 'promptTokens' | 'completionTokens'>): Job {
  const sum = (total: number | null, tokens: number | null) =>
    tokens === null ? total : (total ?? 0) + tokens;
  return {
    ...job,
    llmCalls: job.llmCalls + usage.llmCalls,
    promptTokens: sum(job.promptTokens, usage.promptTokens),
    completionTokens: sum(job.completionTokens, usage.completionTokens),
  };
}

export function finishedJob(job: Job, outcome: ExtractionOutcome, now: string): Job {
  return {
    ...withUsage(job, outcome),
    status: outcome.status,
    reason: outcome.reason,
    memoryIds: outcome.memories.map(({ id }) => id),
    finishedAt: now,
  };
}

/** The job, when it is in one of these states. @throws AgentMemoryError `not_found`, `conflict` */
export function requireState(
  jobs: ReadonlyMap<string, HeldJob>,
  jobId: string,
  states: readonly JobStatus[],
): HeldJob {
  const job = jobs.get(jobId);
  if (job === undefined) throw new AgentMemoryError('not_found', 'There is no such job.');
  if (!states.includes(job.shown.status))
    throw new AgentMemoryError('conflict', 'The job is in another state.');
  return job;
}

/** A page of jobs, newest first; a job's position is its place in the map. */
export function listHeldJobs(jobs: ReadonlyMap<string, HeldJob>, list: JobList): ListedJobs {
  const found = [...jobs.values()]
    .map(({ shown }, index) => ({ job: shown, position: index + 1 }))
    .filter(({ position }) => position < (list.before ?? Number.POSITIVE_INFINITY))
    .filter(({ job }) => job.threadId === (list.threadId ?? job.threadId))
    .filter(({ job }) => job.status === (list.status ?? job.status))
    .toReversed();
  return { jobs: found.slice(0, list.limit), more: found.length > list.limit };
}

/** Jobs of a thread up to a position, by how far they are. */
export function progressOf(
  jobs: ReadonlyMap<string, HeldJob>,
  threadId: string,
  upto = Number.POSITIVE_INFINITY,
): ExtractionProgress {
  const own = [...jobs.values()]
    .map(({ shown }, index) => ({ ...shown, position: index + 1 }))
    .filter((job) => job.threadId === threadId && job.position <= upto);
  const count = (...statuses: readonly JobStatus[]) =>
    own.filter((job) => statuses.includes(job.status)).length;
  return {
    newestPosition: own.at(-1)?.position ?? 0,
    unfinished: count('pending', 'running'),
    succeeded: count('succeeded'),
    failed: count('failed', 'dead', 'cancelled'),
  };
}

export function extractionOf(jobs: ReadonlyMap<string, HeldJob>, threadId: string): ThreadExtraction {
  const own = [...jobs.values()].map(({ shown }) => shown).filter((job) => job.threadId === threadId);
  const count = (status: JobStatus) => own.filter((job) => job.status === status).length;
  const [pending = 0, running = 0, succeeded = 0, failed = 0, dead = 0, cancelled = 0] =
    JOB_STATUSES.map(count);
  return { pending, running, succeeded, failed, dead, cancelled, jobs: own.toReversed().slice(0, 20) };
}
