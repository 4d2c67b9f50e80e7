import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
import {
  addRecordBatchesContract,
  addRecordsContract,
  deleteRecordContract,
  getRecordContract,
  listRecordsContract,
  searchRecordsContract,
  updateRecordContract,
} from '../schemas/operations/records.ts';
import { DEFAULT_PAGE_LIMIT, iteratePages, type Page, takeItems } from '../schemas/page.ts';
import type { PendingRecordBatch } from '../schemas/pending-record-batch.ts';
import type { MemoryRecord, RecordType } from '../schemas/record.ts';
import type {
  DeleteRecordOptions,
  ListRecordsOptions,
  ListThreadMessagesOptions,
  SearchRecordsRequest,
  UpdateRecordRequest,
} from '../schemas/record-request.ts';
import type { RecordsApi } from '../schemas/records-api.ts';
import type { SearchResult } from '../schemas/search.ts';
import { flagParameter } from './flag-parameter.ts';
import type { HttpConnection } from './http-connection.ts';

/** The level of the store over HTTP. */
export class HttpRecords implements RecordsApi {
  readonly #connection: HttpConnection;
  readonly #idempotencyKey: string | undefined;

  constructor(connection: HttpConnection, idempotencyKey?: string) {
    this.#connection = connection;
    this.#idempotencyKey = idempotencyKey;
  }

  withIdempotencyKey(idempotencyKey: string): HttpRecords {
    return new HttpRecords(this.#connection, checkIdempotencyKey(idempotencyKey, 'idempotencyKey'));
  }

  async add(batch: PendingRecordBatch): Promise<readonly string[]> {
    const input = { parameters: {}, query: {}, body: batch };
    return (await this.#connection.call(addRecordsContract, input, this.#idempotencyKey)).ids;
  }

  async addBatches(batches: readonly PendingRecordBatch[]): Promise<readonly string[]> {
    const input = { parameters: {}, query: {}, body: { batches: [...batches] } };
    return (await this.#connection.call(addRecordBatchesContract, input, this.#idempotencyKey)).ids;
  }

  async get(recordType: RecordType, recordId: string): Promise<MemoryRecord> {
    const input = { parameters: { recordType, recordId }, query: {}, body: undefined };
    return this.#connection.call(getRecordContract, input);
  }

  async list(options: ListRecordsOptions): Promise<Page<MemoryRecord>> {
    return this.#connection.call(listRecordsContract, { parameters: {}, query: {}, body: options });
  }

  iterate(options: ListRecordsOptions): AsyncIterable<MemoryRecord> {
    return iteratePages((cursor = options.cursor) => this.list({ ...options, cursor }));
  }

  listThreadMessages(
    threadId: string,
    { metadataFilter, limit = DEFAULT_PAGE_LIMIT }: ListThreadMessagesOptions = {},
  ): Promise<readonly MemoryRecord[]> {
    const messages = this.iterate({ recordType: 'message', threadId, metadataFilter, limit });
    return takeItems(messages, limit);
  }

  async search(request: SearchRecordsRequest): Promise<readonly SearchResult[]> {
    const input = { parameters: {}, query: {}, body: request };
    return (await this.#connection.call(searchRecordsContract, input)).results;
  }

  async update(recordType: RecordType, recordId: string, request: UpdateRecordRequest): Promise<number> {
    const input = { parameters: { recordType, recordId }, query: {}, body: request };
    return (await this.#connection.call(updateRecordContract, input)).updated;
  }

  async delete(recordType: RecordType, recordId: string, options: DeleteRecordOptions = {}): Promise<number> {
    const query = { ...options, cascade: flagParameter(options.cascade) };
    const input = { parameters: { recordType, recordId }, query, body: undefined };
    return (await this.#connection.call(deleteRecordContract, input)).deleted;
  }
}
