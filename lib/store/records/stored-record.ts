import type { JsonObject } from '../../schemas/metadata.ts';
import type { MemoryRecord, RecordStatus, RecordType } from '../../schemas/record.ts';
import type { TtlAnchor } from '../../schemas/retention.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';

/** Records with one id space each: a message and a memory may have the same id, a user and an agent too. */
export type RecordFamily = 'message' | 'memory' | 'user_profile' | 'agent_profile';

/** Profiles, whose record id is the id of the user or agent. */
export type ActorFamily = 'user_profile' | 'agent_profile';

/** A vector, or none, or one that the database makes of the row's text in the statement that writes it. */
export type ChunkEmbedding = Float32Array | 'by_database' | null;

/**
 * One retrieval row: a piece of retrieval text and its vector. Without a vector only keyword search finds it, without
 * text (`''`) only vector search.
 */
export interface Chunk {
  readonly text: string;
  readonly embedding: ChunkEmbedding;
}

/** Time to live as the caller gave it; undefined = omitted = the store's default, null = its maximum or never. */
export interface Lifetime {
  readonly ttlDays: number | null | undefined;
  readonly ttlAnchor: TtlAnchor;
}

/** Options of a call that concerns one record. */
export interface RecordOptions extends CallOptions {
  /** Only a record whose stored thread is exactly this one; any other does not exist for the call. */
  readonly threadId?: string | undefined;
  /** Only a record of exactly this type. */
  readonly recordType?: RecordType | undefined;
}

/** New retrieval rows of a record whose text stays. */
export type RetrievalChange =
  /** They replace all earlier ones. */
  | { readonly kind: 'rows'; readonly chunks: readonly Chunk[] }
  /** The existing rows get these vectors, one each, in order. */
  | { readonly kind: 'vectors'; readonly vectors: readonly Float32Array[] }
  /** The existing rows lose their vectors. */
  | { readonly kind: 'no_vectors' };

/** What an update changes; an undefined field keeps its value. Id, type, role and owners of a record never change. */
export interface RecordChange {
  /** New text, or null for none, with the retrieval rows that replace all earlier ones. */
  readonly content?: { readonly text: string | null; readonly chunks: readonly Chunk[] } | undefined;
  /** Not beside `content`. */
  readonly retrieval?: RetrievalChange | undefined;
  /** Replaces the stored object whole. */
  readonly metadata?: JsonObject | undefined;
  /** Event time; null removes it. */
  readonly timestamp?: string | null | undefined;
  /** New expiry, counted from the record's creation, or from the new or stored timestamp. */
  readonly lifetime?: Lifetime | undefined;
}

export interface RecordUpdateOptions extends RecordOptions {
  /** A record of this type does not exist for the call. */
  readonly exceptType?: RecordType | undefined;
}

/** One record other than a message. With `fromThread`, ids that are undefined become that thread's. */
export interface NewRecord extends Lifetime {
  readonly family: Exclude<RecordFamily, 'message'>;
  readonly recordType: RecordType;
  readonly id: string;
  /** Null = no text; `''` is kept as that. */
  readonly content: string | null;
  readonly metadata: JsonObject;
  readonly timestamp: string | null;
  readonly userId: string | null | undefined;
  readonly agentId: string | null | undefined;
  readonly threadId: string | null | undefined;
  readonly chunks: readonly Chunk[];
}

/** One message that is added as a record. Its thread must exist; owners that are undefined are the thread's. */
export interface NewMessageRecord extends Omit<NewRecord, 'family' | 'recordType' | 'threadId'> {
  readonly family: 'message';
  readonly role: string;
  readonly threadId: string;
}

/** A page of records in the order of insertion, after a position. An undefined condition is not asked for. */
export interface RecordList {
  readonly family: RecordFamily;
  /** An id, or null = only records without one. */
  readonly userId?: string | null | undefined;
  readonly agentId?: string | null | undefined;
  readonly threadId?: string | null | undefined;
  readonly recordType?: RecordType | undefined;
  readonly status?: RecordStatus | undefined;
  readonly metadataFilter?: JsonObject | null | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

export interface RecordPage {
  /** Each with its place in the order of insertion; the next page begins after that of the last one. */
  readonly records: readonly { readonly record: MemoryRecord; readonly position: number }[];
  readonly more: boolean;
}
