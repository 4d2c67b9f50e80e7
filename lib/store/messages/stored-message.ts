import type { JsonObject } from '../../schemas/metadata.ts';
import type { Chunk, Lifetime, RecordChange } from '../records/stored-record.ts';

export interface NewMessageRow extends Lifetime {
  readonly id: string;
  readonly role: string;
  readonly content: string;
  readonly timestamp: string | null;
  readonly metadata: JsonObject;
  readonly chunks: readonly Chunk[];
}

/** How the extraction job of a write starts, if there is one. */
export interface JobStart {
  readonly jobId: string;
  readonly leaseToken: string;
  readonly leaseSeconds: number;
  readonly maxAttempts: number;
  /** Pending jobs of the store above which a background job is left out (contract §8.3). */
  readonly queueCapacity: number;
  /** False without a language model: a due job is stored as failed with reason `unsupported` (D23). */
  readonly canExtract: boolean;
}

/** Messages to append, and the extraction job that becomes due with them: one atomic list, one round trip. */
export interface MessageAppend extends JobStart {
  readonly threadId: string;
  readonly messages: readonly NewMessageRow[];
}

/** What changes of a message, and the extraction job that starts when its content becomes another. */
export interface MessageEdit extends JobStart {
  readonly threadId: string;
  readonly messageId: string;
  readonly change: Pick<RecordChange, 'content' | 'metadata' | 'lifetime'>;
}

/**
 * What the write found due. `running` = this caller holds the lease and goes on inline; `full` = the job was left out
 * because too many are pending.
 */
export interface JobOutcome {
  readonly job: 'none' | 'running' | 'pending' | 'full' | 'unsupported';
}

export interface StoredMessage {
  readonly id: string;
  readonly sequence: number;
  readonly role: string;
  readonly content: string;
  /** Event time, else the time of the write. */
  readonly timestamp: string;
  readonly metadata: JsonObject;
}
