import type { Clock } from '../clock.ts';
import type { Llm } from '../models/llm.ts';
import type { MemoryEmbedder } from '../models/oracle-database-embedder.ts';
import type { Tokenizer } from '../models/tokenizer.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import type { CallerLimits } from '../schemas/caller-limits.ts';
import type { MemoryExtractionConfig } from '../schemas/extraction.ts';
import type { AccessScope } from '../schemas/operation-contract.ts';
import type { MemoryStore } from '../store/memory-store.ts';
import type { RecordedRequest } from '../store/requests/recorded-request.ts';
import type { RequestStore } from '../store/requests/request-store.ts';

/** Settings of a client; the thread level and each call may override what concerns them. */
export interface MemorySettings {
  readonly searchStrategy: 'vector' | 'keyword' | 'hybrid';
  readonly chunkTokens: number;
  readonly chunkOverlap: number;
  /** Client level of the extraction configuration (contract §8.1). */
  readonly extraction: MemoryExtractionConfig;
  /** Attempts that a job has before it is dead. */
  readonly jobMaxAttempts: number;
  /** Seconds that a worker has a job for itself; it renews the lease every third of them. */
  readonly jobLeaseSeconds: number;
  /**
   * Seconds before the next attempt after a failure that may pass, one for each attempt so far; the last repeats. ± 20 % at
   * random, so that jobs that failed together do not come back together.
   */
  readonly jobRetrySeconds: readonly number[];
  /** Jobs of one user that run at once, so that a user whose model hangs does not keep every worker. */
  readonly jobUserLimit: number;
  /** Pending jobs of the store above which a background job is left out (contract §8.3). */
  readonly queueCapacity: number;
}

/** Defaults of the settings of jobs (contract D9 for the capacity). */
export const JOB_DEFAULTS = Object.freeze({
  jobMaxAttempts: 5,
  jobLeaseSeconds: 45,
  jobRetrySeconds: Object.freeze([2, 8, 30, 120]),
  jobUserLimit: 4,
  queueCapacity: 1_000,
});

/** Size of retrieval chunks in tokens (contract D13). */
export const CHUNK_DEFAULTS = Object.freeze({ chunkTokens: 400, chunkOverlap: 50 });

/** Work whose failure does not fail the request: the answer says less, or says what failed. */
export type SurvivedWork =
  | 'extraction'
  | 'job_wake_up'
  | 'lease_renewal'
  | 'context_card_overview'
  | 'stale_summary';

/** What every use case needs. Built once per request by a composition root; holds no state of its own. */
export interface MemoryContext {
  readonly store: MemoryStore;
  readonly embedder: MemoryEmbedder | undefined;
  readonly llm: Llm | undefined;
  readonly tokenizer: Tokenizer;
  /** Where wake-ups for background jobs go; absent: nothing runs in the background. */
  readonly jobQueue?: JobQueue | undefined;
  readonly clock: Clock;
  /** Between 0 and 1. @default Math.random */
  readonly random?: (() => number) | undefined;
  readonly newId: () => string;
  readonly settings: MemorySettings;
  /** Remembers requests that carry an idempotency key; absent: such a key is `unsupported`. */
  readonly requests?: RequestStore | undefined;
  /** Present when this request made its change before: the use case answers as it did then and changes nothing. */
  readonly recorded?: RecordedRequest | undefined;
  /** Whose data the caller may see and change; the store is made with them. Absent: no limit. */
  readonly limits?: CallerLimits | undefined;
  /** Whether the caller has a right whose need only the stored data shows. Absent: every right. */
  readonly permits?: ((scope: AccessScope) => boolean) | undefined;
  /** Hears of failures that the answer survives, so that a log can have them. */
  readonly reportFailure?: ((work: SurvivedWork, error: unknown) => void) | undefined;
  /** When an answer that can say that work goes on has to be given at the latest. Absent: whenever it is done. */
  readonly answerBy?: Date | undefined;
  /** Aborted when the caller has gone or the request budget is over. */
  readonly signal?: AbortSignal | undefined;
}
