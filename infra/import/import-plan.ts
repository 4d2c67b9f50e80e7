import type { NewMessage } from '../../lib/schemas/message.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import type { MemoryType } from '../../lib/schemas/record.ts';

export interface PlannedUser {
  readonly userId: string;
  readonly information: string;
  readonly metadata: JsonObject;
}

/** A message with the id that makes a second run find it. */
export interface PlannedMessage extends NewMessage {
  readonly id: string;
}

export interface PlannedThread {
  readonly threadId: string;
  readonly userId: string;
  readonly agentId: string;
  readonly metadata: JsonObject;
  /** Oldest first. */
  readonly messages: readonly PlannedMessage[];
}

export interface PlannedMemory {
  readonly memoryId: string;
  readonly memoryType: MemoryType;
  readonly content: string;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly threadId: string | null;
  readonly metadata: JsonObject;
  /** Event time, null when the export has none. */
  readonly timestamp: string | null;
  /** Days from the event time, or from the import when there is none; undefined takes the default of the store. */
  readonly ttlDays: number | undefined;
}

/** Everything that an import writes, with ids that are the same each time the same export is read. */
export interface ImportPlan {
  readonly users: readonly PlannedUser[];
  readonly threads: readonly PlannedThread[];
  readonly memories: readonly PlannedMemory[];
  /** What the export holds and the import leaves out: how often, by reason. */
  readonly leftOut: ReadonlyMap<string, number>;
}
