import type { Job } from '../../schemas/job.ts';

/** A request that carries an idempotency key, as it is recorded with its change. It holds no text of the request. */
export interface NewRequest {
  /** SHA-256 in hex of everything that tells this request from another. */
  readonly requestKey: string;
  /** SHA-256 in hex of its body. */
  readonly requestHash: string;
  /** Whose deletion takes the record along, as far as the request says so. */
  readonly owners: RequestOwners;
}

export interface RequestOwners {
  readonly threadId: string | null;
  readonly userId: string | null;
  readonly agentId: string | null;
}

/** What is known of a request that has made its change. */
export interface RecordedRequest {
  readonly requestHash: string;
  /** The time of the change: `createdAt` of what it created. */
  readonly createdAt: string;
  /** The job that it started or changed, as it left it; of a pass that did not come to its end, as the job is now. */
  readonly job: Job | undefined;
  /** Whether its own pass over the job still goes on, or it still waits for room in the queue. */
  readonly isRunning: boolean;
}
