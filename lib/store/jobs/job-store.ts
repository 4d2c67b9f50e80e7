import type { Job, JobStatus, ThreadExtraction } from '../../schemas/job.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';

/** A page of extraction jobs, newest first, before a position. */
export interface JobList {
  readonly threadId: string | undefined;
  readonly status: JobStatus | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ListedJobs {
  /** Each with its place in the order of creation: the next page begins before that of the last job. */
  readonly jobs: readonly { readonly job: Job; readonly position: number }[];
  /** Whether the list goes on. */
  readonly more: boolean;
}

/** How far the jobs of a thread are. */
export interface ExtractionProgress {
  /** Place of the newest of these jobs in the order of creation; 0 without any. */
  readonly newestPosition: number;
  /** Pending and running ones. */
  readonly unfinished: number;
  readonly succeeded: number;
  /** Failed, dead and cancelled ones. */
  readonly failed: number;
}

/** What starts the next attempt of a job. */
export interface JobClaim {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly leaseSeconds: number;
}

/** What starts the next attempt of a job that is due. */
export interface DueJobClaim extends JobClaim {
  /** Jobs of one user that run at once at most. */
  readonly userLimit: number;
}

/** Extraction jobs, as callers see them. Each method is one database round trip. */
export interface JobStore {
  getJob(jobId: string, options?: CallOptions): Promise<Job | undefined>;
  /** At most `limit` jobs and about four million characters of ids, the first job always. */
  listJobs(list: JobList, options?: CallOptions): Promise<ListedJobs>;
  /**
   * Jobs of a thread by state and the latest 20, about four million characters of ids at most. Undefined for an unknown
   * thread.
   */
  readThreadExtraction(threadId: string, options?: CallOptions): Promise<ThreadExtraction | undefined>;
  /** Counts the jobs of a thread up to a position, or all there are. Undefined for an unknown thread. */
  readExtractionProgress(
    threadId: string,
    upto: number | undefined,
    options?: CallOptions,
  ): Promise<ExtractionProgress | undefined>;
  /** From pending or running. Errors: `not_found`; `conflict` for a job that has ended. */
  cancelJob(jobId: string, options?: CallOptions): Promise<void>;
  /** From failed, dead or cancelled to running under the lease. Errors: `not_found`; `conflict` in another state. */
  claimJob(claim: JobClaim, options?: CallOptions): Promise<void>;
}
