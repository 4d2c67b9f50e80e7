import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { JOB_STATUSES, type Job, type JobStatus, type ThreadExtraction } from '../../lib/schemas/job.ts';
import type { ExtractionOutcome } from '../../lib/store/extraction-outcome.ts';
import type { ExtractionProgress, JobList, ListedJobs } from '../../lib/store/job-store.ts';
import type { JobStart } from '../../lib/store/stored-message.ts';

/** A job with what the store knows beside what it shows. */
export interface HeldJob {
  readonly threadId: string;
  leaseToken: string;
  readonly fromSequence: number;
  readonly uptoSequence: number;
  readonly isEdit: boolean;
  shown: Job;
  outcome: ExtractionOutcome | undefined;
}

/** A job as it starts: running under the caller's lease, or failed without a language model. */
export function startedJob(
  start: JobStart,
  { threadId, messageIds }: Pick<Job, 'threadId' | 'messageIds'>,
  now: string,
): Job {
  const reason = { code: 'unsupported', detail: 'no language model is configured' };
  return {
    jobId: start.jobId,
    threadId,
    status: start.canExtract ? 'running' : 'failed',
    attempt: start.canExtract ? 1 : 0,
    maxAttempts: start.maxAttempts,
    nextAttemptAt: null,
    reason: start.canExtract ? null : reason,
    messageIds,
    memoryIds: [],
    llmCalls: 0,
    promptTokens: null,
    completionTokens: null,
    createdAt: now,
    startedAt: start.canExtract ? now : null,
    finishedAt: start.canExtract ? null : now,
  };
}

export function finishedJob(job: Job, outcome: ExtractionOutcome, now: string): Job {
  return {
    ...job,
    status: outcome.status,
    reason: outcome.reason,
    memoryIds: outcome.memories.map(({ id }) => id),
    llmCalls: job.llmCalls + outcome.llmCalls,
    promptTokens: outcome.promptTokens,
    completionTokens: outcome.completionTokens,
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
