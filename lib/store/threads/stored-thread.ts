import type { ResolvedExtractionConfig } from '../../schemas/extraction.ts';
import type { JsonObject } from '../../schemas/metadata.ts';

/** Resolved configuration of a thread, stored as JSON with it. */
export interface ThreadConfig {
  readonly extraction: ResolvedExtractionConfig;
  readonly contextCardTokenLimit: number;
  readonly maxMessageTokenLength: number;
  readonly messageShorteningInputTokenLimit: number;
}

export interface StoredThread {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  readonly config: ThreadConfig;
  readonly messageCount: number;
  readonly extractedSequence: number;
  readonly summarizedSequence: number;
  readonly runningSummary: string | null;
  readonly summaryStale: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface NewThread {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  readonly config: ThreadConfig;
}

/** What an update of a thread changes; an undefined or absent field keeps its value. */
export interface ThreadChange {
  /** Replaces the stored object whole. */
  readonly metadata: JsonObject | undefined;
  /** Merged field by field onto the stored configuration. */
  readonly config: Partial<Omit<ThreadConfig, 'extraction'>> & {
    readonly extraction?: Partial<ResolvedExtractionConfig>;
  };
}

/** A page of threads, newest first: those of the given owners, before a position. */
export interface ThreadList {
  readonly userId: string | undefined;
  readonly agentId: string | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

export interface ListedThreads {
  /** Each with its place in the order of creation: the next page begins before that of the last thread. */
  readonly threads: readonly { readonly thread: StoredThread; readonly position: number }[];
  /** Whether the list goes on. */
  readonly more: boolean;
}
