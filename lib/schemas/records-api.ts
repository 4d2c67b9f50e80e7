import type { Page } from './page.ts';
import type { PendingRecordBatch } from './pending-record-batch.ts';
import type { MemoryRecord, RecordType } from './record.ts';
import type {
  DeleteRecordOptions,
  ListRecordsOptions,
  ListThreadMessagesOptions,
  SearchRecordsRequest,
  UpdateRecordRequest,
} from './record-request.ts';
import type { SearchResult } from './search.ts';

/**
 * The level of the store: records of every type with their retrieval rows, without a default scope (contract §10.2).
 * The same over the in-process library and over HTTP.
 */
export interface RecordsApi {
  /** Adds records of one type, all or nothing. Returns their ids in order. */
  add(batch: PendingRecordBatch): Promise<readonly string[]>;
  /** Adds up to 100 batches in one write, all or nothing. Returns the ids in order. */
  addBatches(batches: readonly PendingRecordBatch[]): Promise<readonly string[]>;
  /** A record of exactly this type, never a chunk; `not_found` for any other. */
  get(recordType: RecordType, recordId: string): Promise<MemoryRecord>;
  /** One page of records, oldest first. */
  list(options: ListRecordsOptions): Promise<Page<MemoryRecord>>;
  /** Every record that matches, oldest first, read page by page as they are asked for. */
  iterate(options: ListRecordsOptions): AsyncIterable<MemoryRecord>;
  /** The first messages of a thread, 100 unless `limit` says otherwise; none for an unknown thread. */
  listThreadMessages(threadId: string, options?: ListThreadMessagesOptions): Promise<readonly MemoryRecord[]>;
  /** At most `k` results, best first: by a text, or by a vector that is compared as it is. */
  search(request: SearchRecordsRequest): Promise<readonly SearchResult[]>;
  /** 1, or 0 when there is no such record. */
  update(recordType: RecordType, recordId: string, request: UpdateRecordRequest): Promise<number>;
  /** How many records went: 0 when there was none, with `cascade` those of the profile's actor too. */
  delete(recordType: RecordType, recordId: string, options?: DeleteRecordOptions): Promise<number>;
  /** This level, whose `add` and `addBatches` carry the key (see `AgentMemoryApi.withIdempotencyKey`). */
  withIdempotencyKey(idempotencyKey: string): RecordsApi;
}
