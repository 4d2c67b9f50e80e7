import { DEFAULT_PAGE_LIMIT, iteratePages, type Page, takeItems } from '../schemas/page.ts';
import {
  addRecordBatchesRequestSchema,
  type PendingRecordBatch,
  pendingRecordBatchSchema,
} from '../schemas/pending-record-batch.ts';
import type { MemoryRecord, RecordType } from '../schemas/record.ts';
import {
  type DeleteRecordOptions,
  deleteRecordOptionsSchema,
  type ListRecordsOptions,
  type ListThreadMessagesOptions,
  listRecordsRequestSchema,
  recordParametersSchema,
  type SearchRecordsRequest,
  searchRecordsRequestSchema,
  type UpdateRecordRequest,
  updateRecordRequestSchema,
} from '../schemas/record-request.ts';
import type { RecordsApi } from '../schemas/records-api.ts';
import type { SearchResult } from '../schemas/search.ts';
import { parseRequest } from '../schemas/validation-issues.ts';
import type { MemoryContext } from './memory-context.ts';
import { addRecordBatches, addRecords } from './record-batches.ts';
import { updateRecord } from './record-updates.ts';
import { deleteRecord, getRecord, listRecords, searchRecords } from './records.ts';

/** The level of the store in this process. Invalid arguments throw `invalid_request` naming the field. */
export class RecordsClient implements RecordsApi {
  readonly #context: MemoryContext;

  constructor(context: MemoryContext) {
    this.#context = context;
  }

  async add(batch: PendingRecordBatch): Promise<readonly string[]> {
    return (await addRecords(this.#context, parseRequest(pendingRecordBatchSchema, batch))).ids;
  }

  async addBatches(batches: readonly PendingRecordBatch[]): Promise<readonly string[]> {
    const request = parseRequest(addRecordBatchesRequestSchema, { batches });
    return (await addRecordBatches(this.#context, request.batches)).ids;
  }

  async get(recordType: RecordType, recordId: string): Promise<MemoryRecord> {
    const parameters = parseRequest(recordParametersSchema, { recordType, recordId });
    return getRecord(this.#context, parameters.recordType, parameters.recordId);
  }

  async list(options: ListRecordsOptions): Promise<Page<MemoryRecord>> {
    return listRecords(this.#context, parseRequest(listRecordsRequestSchema, options));
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
    return (await searchRecords(this.#context, parseRequest(searchRecordsRequestSchema, request))).results;
  }

  async update(recordType: RecordType, recordId: string, request: UpdateRecordRequest): Promise<number> {
    const parameters = parseRequest(recordParametersSchema, { recordType, recordId });
    const change = parseRequest(updateRecordRequestSchema, request);
    return (await updateRecord(this.#context, parameters.recordType, parameters.recordId, change)).updated;
  }

  async delete(recordType: RecordType, recordId: string, options: DeleteRecordOptions = {}): Promise<number> {
    const parameters = parseRequest(recordParametersSchema, { recordType, recordId });
    const checked = parseRequest(deleteRecordOptionsSchema, options);
    return deleteRecord(this.#context, parameters.recordType, parameters.recordId, checked);
  }
}
