import { checkIdempotencyKey } from '../schemas/idempotency-key.ts';
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
import { inProcess, runOnce } from './idempotency/run-once.ts';
import type { MemoryContext } from './memory-context.ts';
import { addRecordBatches, addRecords } from './record-batches.ts';
import { updateRecord } from './record-updates.ts';
import { deleteRecord, getRecord, listRecords, searchRecords } from './records.ts';

/** The level of the store in this process. Invalid arguments throw `invalid_request` naming the field. */
export class RecordsClient implements RecordsApi {
  readonly #context: MemoryContext;
  readonly #idempotencyKey: string | undefined;

  constructor(context: MemoryContext, idempotencyKey?: string) {
    this.#context = context;
    this.#idempotencyKey = idempotencyKey;
  }

  async add(batch: PendingRecordBatch): Promise<readonly string[]> {
    const request = parseRequest(pendingRecordBatchSchema, batch);
    return (await this.#once('addRecords', request, (context) => addRecords(context, request))).ids;
  }

  async addBatches(batches: readonly PendingRecordBatch[]): Promise<readonly string[]> {
    const request = parseRequest(addRecordBatchesRequestSchema, { batches });
    const add = (context: MemoryContext) => addRecordBatches(context, request.batches);
    return (await this.#once('addRecordBatches', request, add)).ids;
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

  withIdempotencyKey(idempotencyKey: string): RecordsClient {
    return new RecordsClient(this.#context, checkIdempotencyKey(idempotencyKey, 'idempotencyKey'));
  }

  #once<Answer>(
    operationId: string,
    body: unknown,
    run: (context: MemoryContext) => Promise<Answer>,
  ): Promise<Answer> {
    const identity = { operationId, parameters: {}, body };
    return runOnce(this.#context, identity, inProcess(this.#idempotencyKey), run);
  }
}
