import type { MemoryRecord } from '../../schemas/record.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { StoredMessage } from '../messages/stored-message.ts';
import type { NewRecord } from '../records/stored-record.ts';
import type { StoreSearch } from '../search/store-search.ts';
import type { StoredThread } from '../threads/stored-thread.ts';

/** Everything a card, a summary or an extraction pass reads of a thread: one round trip. */
export interface ThreadContext {
  readonly thread: StoredThread;
  /** Oldest first. */
  readonly recentMessages: readonly StoredMessage[];
}

export interface ThreadContextOptions extends CallOptions {
  /** Messages to read when the running summary is stale, if more than otherwise: it is made anew from them. */
  readonly messagesWhenStale?: number;
}

/** A summary in place of a stale one, with the state of the thread that it was made from. */
export interface RebuiltSummary {
  readonly threadId: string;
  readonly text: string;
  /** The thread's last message as read. */
  readonly uptoSequence: number;
  /** The thread's last change as read: after another one the summary may be out of date. */
  readonly threadUpdatedAt: string;
}

/**
 * How many memories a user and an agent have together, and the sum of their positions in the order of writing: whenever one
 * is added, the tally is another.
 */
export interface MemoryTally {
  readonly memoryCount: number;
  readonly positionSum: number;
}

/** What an extraction pass writes: memories, outcome and watermark, guarded by the lease. */
export interface ExtractionOutcome {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly status: 'succeeded' | 'failed';
  readonly reason: { readonly code: string; readonly detail: string } | null;
  readonly memories: readonly NewRecord[];
  /** The memories that the new ones were compared with: they are written only when there are no others. */
  readonly comparedWith: MemoryTally;
  /** Ids of memories that the new ones replace: they become `superseded`. */
  readonly supersededIds: readonly string[];
  /** New running summary and the sequence it covers; null keeps the old one. */
  readonly summary: { readonly text: string; readonly uptoSequence: number } | null;
  readonly llmCalls: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/**
 * What became of an outcome. Only `written` wrote anything: the lease was `lost` or the thread is gone, or there are
 * `other_memories` than those that the new ones were compared with.
 */
export type OutcomeWrite = 'written' | 'lost' | 'other_memories';

/** Which of the newest memories are read: so many, without those that are longer. */
export interface NewestMemoryLimits {
  readonly count: number;
  readonly characters: number;
}

export interface ExtractionInputOptions extends CallOptions {
  /** A search for past memories that comes with the input. */
  readonly pastMemories?: StoreSearch | undefined;
  /** Which of the newest other memories come with it. @default none */
  readonly newestMemories?: NewestMemoryLimits | undefined;
}

/** The newest memories of a user and an agent that have neither expired nor been superseded, with the tally of all. */
export interface NewestMemories {
  readonly memories: readonly MemoryRecord[];
  readonly memoryTally: MemoryTally;
}

/** The source messages of a running job, with the state of its thread: one round trip. */
export interface ExtractionInput extends ThreadContext {
  /** Newest messages up to the last one of the job that the extractor is shown; −1 = only those of the job. */
  readonly windowMessages: number;
  readonly fromSequence: number;
  readonly uptoSequence: number;
  /** What the search found, nearest first; nothing without one. */
  readonly pastMemories: readonly MemoryRecord[];
  /**
   * The newest other memories of the thread's user and agent that have neither expired nor been superseded, within the
   * limits that were asked for.
   */
  readonly newestMemories: readonly MemoryRecord[];
  /** Of the thread's user and agent. */
  readonly memoryTally: MemoryTally;
}
