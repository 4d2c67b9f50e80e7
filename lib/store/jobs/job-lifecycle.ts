import type { CallOptions } from '../../sql/sql-transport.ts';
import type { DueJobClaim, JobClaim } from './job-store.ts';

/** Attempts of one job whose worker ended without an outcome; the job is dead after so many. */
export const LOST_ATTEMPT_LIMIT = 3;

/** Why a job runs no more when its workers ended without an outcome. */
export const WORKER_LOST = 'worker_lost';
/** Why a job was left out: as many jobs were pending as the store takes (contract §8.3). */
export const QUEUE_FULL = 'extraction_queue_full';
export const QUEUE_FULL_DETAIL = 'As many extraction jobs are pending as this store takes.';

/** What a claim found: `nothing_due` also for a job that is not there, has ended, runs elsewhere or is due later. */
export type ClaimOutcome = 'claimed' | 'dead' | 'nothing_due';
/** What a release left: `lost` = the caller did not hold the lease any more, and nothing was written. */
export type ReleaseOutcome = 'pending' | 'dead' | 'lost';

/** The end of an attempt without an outcome, under its lease. */
export interface JobRelease {
  readonly jobId: string;
  readonly leaseToken: string;
  /** Why the attempt ended. */
  readonly reason: { readonly code: string; readonly detail: string };
  /** Seconds until the next attempt, one for each attempt that may have ended; the last repeats. At least one. */
  readonly retrySeconds: readonly number[];
  /** Whether the attempt is one of those that the job has: false for work that only goes on elsewhere. */
  readonly countsAttempt: boolean;
  readonly llmCalls: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** Which jobs a sweep wakes. */
export interface DueJobs {
  /** Seconds that a pending job is due for: until then its own wake-up is under way. */
  readonly graceSeconds: number;
  /** Seconds since the last wake-up that a sweep sent for it. */
  readonly quietSeconds: number;
  readonly limit: number;
}

/** Extraction jobs, as workers see them. Each method is one database round trip unless it says otherwise. */
export interface JobLifecycle {
  /**
   * Starts the next attempt of a job that is due, pending or under a lease that is over, when no earlier job of its thread is
   * pending or running and its user has room for another; of several callers one gets it. A
   * lease that is over counts as a lost attempt; a job without attempts left, or with too many lost ones, becomes dead.
   */
  claimDueJob(claim: DueJobClaim, options?: CallOptions): Promise<ClaimOutcome>;
  /** Begins the lease anew. False when it was lost: another worker has the job, or it was cancelled or is gone. */
  renewLease(claim: JobClaim, options?: CallOptions): Promise<boolean>;
  /** Back to pending, or dead when the attempts are used up. Keeps the reason and adds to the usage. */
  releaseJob(release: JobRelease, options?: CallOptions): Promise<ReleaseOutcome>;
  /**
   * Makes a job pending that was left out because the queue was full, when there is room now. True when the job is no
   * longer left out, also when an earlier call or somebody else saw to it.
   */
  admitJob(jobId: string, queueCapacity: number, options?: CallOptions): Promise<boolean>;
  /** From failed, dead or cancelled to pending, with all attempts before it. Errors: `not_found`; `conflict` in another state. */
  requeueJob(jobId: string, maxAttempts: number, options?: CallOptions): Promise<void>;
  /** Makes dead what has neither attempts left nor a living worker. Returns how many. */
  endLostJobs(options?: CallOptions): Promise<number>;
  /**
   * The jobs that are due and may have been held up by this one, whose attempt has ended: first of their threads, of the same
   * user, oldest first, as many as the user may run beside what runs now.
   */
  findNextJobs(jobId: string, userLimit: number, options?: CallOptions): Promise<readonly string[]>;
  /** Ids of jobs that wait for a worker and have none, the first of each thread, oldest first. */
  findDueJobs(due: DueJobs, options?: CallOptions): Promise<readonly string[]>;
  /** Notes that a wake-up was sent for these jobs. */
  markWoken(jobIds: readonly string[], options?: CallOptions): Promise<void>;
  /**
   * Removes finished jobs older than so many days, at most `limit`; their messages stay covered. Returns how many. Two
   * round trips, one when there are none.
   */
  pruneJobs(olderThanDays: number, limit: number, options?: CallOptions): Promise<number>;
  /** Removes rows of repeatable requests older than so many hours, at most `limit`. Returns how many. */
  pruneRequests(olderThanHours: number, limit: number, options?: CallOptions): Promise<number>;
}
