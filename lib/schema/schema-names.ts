import { invalidRequest } from '../errors/agent-memory-error.ts';

/** How the objects of a memory store are told from those of others in the same database schema. */
export interface SchemaNameOptions {
  /** Stable id of the store, joined by `_`: `MEM01` gives `MEM01_MEMORY_THREAD`. */
  readonly memoryStoreId?: string | undefined;
  /** Prefix without separator: `DEV_` gives `DEV_MEMORY_THREAD`. Excludes `memoryStoreId`. */
  readonly tableNamePrefix?: string | undefined;
  /** Embedding model in the database, `MODEL` or `OWNER.MODEL`; absent when the database does not embed. */
  readonly embeddingModel?: string | undefined;
}

/** Every identifier of a memory store that SQL text may contain, upper case. There is no other source of names. */
export interface SchemaNames {
  /** `''`, `MEM01_`, `DEV_`. */
  readonly prefix: string;
  readonly thread: string;
  readonly record: string;
  readonly chunk: string;
  readonly job: string;
  readonly request: string;
  readonly audit: string;
  readonly history: string;
  readonly meta: string;
  /** Indexes that every store has. */
  readonly indexes: readonly string[];
  /** The Oracle Text index of the strategies that search words. */
  readonly textIndex: string;
  /** Preference of Oracle Text that names the lexer of that index. */
  readonly textLexer: string;
  /** The optional vector index, whatever its kind. */
  readonly vectorIndex: string;
  /** The optional JSON search index on metadata. */
  readonly jsonIndex: string;
  /** Function that tells whether metadata matches a filter (contract §7), for transports with fixed statements. */
  readonly filterFunction: string;
  /** Job of DBMS_SCHEDULER that removes expired records (contract §11). */
  readonly purgeJob: string;
  /** The procedure that says whose rows a session sees, where row isolation is installed. */
  readonly rowAccess: string;
  /** The model that VECTOR_EMBEDDING takes; undefined when vectors come from outside. Not an object of the store. */
  readonly embeddingModel: string | undefined;
}

/** Letters, digits and underscore with a letter first: an identifier that needs no quotes and can hold no SQL. */
const MEMORY_STORE_ID = /^[A-Za-z][A-Za-z0-9_]{0,15}$/;
const TABLE_NAME_PREFIX = /^[A-Za-z][A-Za-z0-9_]{0,29}$/;
/** What DBMS_VECTOR.LOAD_ONNX_MODEL takes: an unquoted identifier of at most 123 characters, with its owner or without. */
const EMBEDDING_MODEL = /^(?:[A-Za-z][A-Za-z0-9_$#]{0,127}\.)?[A-Za-z][A-Za-z0-9_$#]{0,122}$/;
const INDEXES = [
  'MEMORY_THREAD_USER_IX',
  'MEMORY_THREAD_AGENT_IX',
  'MEMORY_THREAD_ORDER_IX',
  'MEMORY_RECORD_THREAD_IX',
  'MEMORY_RECORD_USER_IX',
  'MEMORY_RECORD_ORDER_IX',
  'MEMORY_RECORD_EXPIRES_IX',
  'MEMORY_CHUNK_USER_IX',
  'MEMORY_CHUNK_THREAD_IX',
  'MEMORY_JOB_THREAD_IX',
  'MEMORY_JOB_DUE_IX',
  'MEMORY_JOB_OPEN_IX',
  'MEMORY_JOB_FINISHED_IX',
  'MEMORY_REQUEST_THREAD_IX',
  'MEMORY_REQUEST_USER_IX',
  'MEMORY_REQUEST_CREATED_IX',
  'MEMORY_AUDIT_USER_IX',
  'MEMORY_AUDIT_THREAD_IX',
  'MEMORY_AUDIT_TIME_IX',
  'MEMORY_HISTORY_RECORD_IX',
  'MEMORY_HISTORY_USER_IX',
  'MEMORY_HISTORY_THREAD_IX',
] as const;

/**
 * The names of one memory store (contract §3.1).
 *
 * @throws AgentMemoryError `invalid_request` naming the option
 */
export function createSchemaNames(options: SchemaNameOptions = {}): SchemaNames {
  const prefix = prefixOf(options);
  return Object.freeze({
    prefix,
    thread: `${prefix}MEMORY_THREAD`,
    record: `${prefix}MEMORY_RECORD`,
    chunk: `${prefix}MEMORY_CHUNK`,
    job: `${prefix}MEMORY_JOB`,
    request: `${prefix}MEMORY_REQUEST`,
    audit: `${prefix}MEMORY_AUDIT`,
    history: `${prefix}MEMORY_HISTORY`,
    meta: `${prefix}MEMORY_META`,
    indexes: Object.freeze(INDEXES.map((name) => `${prefix}${name}`)),
    textIndex: `${prefix}MEMORY_CHUNK_TEXT_IX`,
    textLexer: `${prefix}MEMORY_LEXER`,
    vectorIndex: `${prefix}MEMORY_CHUNK_VECTOR_IX`,
    jsonIndex: `${prefix}MEMORY_RECORD_JSON_IX`,
    filterFunction: `${prefix}MEMORY_METADATA_MATCHES`,
    purgeJob: `${prefix}PURGE_EXPIRED_RECORDS_J`,
    rowAccess: `${prefix}MEMORY_ROW_ACCESS`,
    embeddingModel: modelName(options.embeddingModel),
  });
}

/** Tables in the order in which they can be dropped; the one that says the store is complete goes first. */
export function tableNames(names: SchemaNames): readonly string[] {
  const { meta, history, audit, request, job, chunk, record, thread } = names;
  return [meta, history, audit, request, job, chunk, record, thread];
}

function prefixOf({ memoryStoreId, tableNamePrefix }: SchemaNameOptions): string {
  if (memoryStoreId !== undefined && tableNamePrefix !== undefined) {
    throw invalidRequest('memoryStoreId', 'give a memory store id or a table name prefix, not both');
  }
  if (memoryStoreId !== undefined) {
    if (!MEMORY_STORE_ID.test(memoryStoreId)) {
      throw invalidRequest('memoryStoreId', 'must be 1 to 16 letters, digits or underscores, a letter first');
    }
    return `${memoryStoreId.toUpperCase()}_`;
  }
  if (tableNamePrefix === undefined) return '';
  if (!TABLE_NAME_PREFIX.test(tableNamePrefix)) {
    throw invalidRequest('tableNamePrefix', 'must be 1 to 30 letters, digits or underscores, a letter first');
  }
  return tableNamePrefix.toUpperCase();
}

function modelName(model: string | undefined): string | undefined {
  if (model === undefined) return undefined;
  if (EMBEDDING_MODEL.test(model)) return model.toUpperCase();
  throw invalidRequest(
    'embeddingModel',
    'must be a model name in the database, with its owner or without: letters, digits, _, $ and #, a letter first',
  );
}
