import type { Clock } from '../clock.ts';
import type { Embedder } from '../models/embedder.ts';
import type { Llm } from '../models/llm.ts';
import type { Tokenizer } from '../models/tokenizer.ts';
import type { JobQueue } from '../queue/job-queue.ts';
import type { MemoryExtractionConfig } from '../schemas/extraction.ts';
import type { AccessScope } from '../schemas/operation-contract.ts';
import type { MemoryStore } from '../store/memory-store.ts';

/** Settings of a client; the thread level and each call may override what concerns them. */
export interface MemorySettings {
  readonly searchStrategy: 'vector' | 'keyword' | 'hybrid';
  readonly chunkTokens: number;
  readonly chunkOverlap: number;
  /** Client level of the extraction configuration (contract §8.1). */
  readonly extraction: MemoryExtractionConfig;
  readonly jobMaxAttempts: number;
  readonly jobLeaseSeconds: number;
}

/** Work whose failure does not fail the request: the answer says less, or says what failed. */
export type SurvivedWork = 'extraction' | 'job_wake_up' | 'context_card_overview' | 'stale_summary';

/** What every use case needs. Built once per request by a composition root; holds no state of its own. */
export interface MemoryContext {
  readonly store: MemoryStore;
  readonly embedder: Embedder | undefined;
  readonly llm: Llm | undefined;
  readonly tokenizer: Tokenizer;
  /** Where wake-ups for background jobs go; absent: nothing runs in the background. */
  readonly jobQueue?: JobQueue | undefined;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly settings: MemorySettings;
  /** Whether the caller has a right whose need only the stored data shows. Absent: every right. */
  readonly permits?: ((scope: AccessScope) => boolean) | undefined;
  /** Hears of failures that the answer survives, so that a log can have them. */
  readonly reportFailure?: ((work: SurvivedWork, error: unknown) => void) | undefined;
  /** When an answer that can say that work goes on has to be given at the latest. Absent: whenever it is done. */
  readonly answerBy?: Date | undefined;
  /** Aborted when the caller has gone or the request budget is over. */
  readonly signal?: AbortSignal | undefined;
}
