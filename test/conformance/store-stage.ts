import { type SchemaNames, tableNames } from '../../lib/schema/schema-names.ts';
import type { JsonObject } from '../../lib/schemas/metadata.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import { number, text } from '../../lib/sql/bind.ts';
import type { CountingTransport } from '../../lib/sql/counting-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';
import type { MemoryStore } from '../../lib/store/memory-store.ts';
import type { StoreSettings } from '../../lib/store/store-context.ts';

/** A store on empty tables, and the means to look behind it. */
export interface StoreStage {
  readonly store: MemoryStore;
  readonly transport: CountingTransport;
  readonly names: SchemaNames;
  /** The same tables under other settings. */
  reopen(settings: Partial<StoreSettings>): MemoryStore;
}

/** Where the rows are. */
export interface StoreTables {
  readonly transport: SqlTransport;
  readonly names: SchemaNames;
}

/** One thing that the store must do over every transport. */
export type StoreCase = (stage: StoreStage) => Promise<void>;

const DATA_TABLES = ['thread', 'record', 'chunk', 'job'] as const;
export type RowCounts = Readonly<Record<(typeof DATA_TABLES)[number], number>>;

/** Rows of each table, expired ones too. */
export async function rowCounts({ transport, names }: StoreStage): Promise<RowCounts> {
  const count = (table: string) => `(SELECT COUNT(*) FROM ${table})`;
  const [row] = await transport.query({
    name: 'stage.count',
    sql: `SELECT ${DATA_TABLES.map((table) => `${count(names[table])} AS ${table}_rows`).join(', ')} FROM dual`,
    binds: {},
    shape: { thread_rows: 'number', record_rows: 'number', chunk_rows: 'number', job_rows: 'number' },
  });
  return {
    thread: row?.thread_rows ?? -1,
    record: row?.record_rows ?? -1,
    chunk: row?.chunk_rows ?? -1,
    job: row?.job_rows ?? -1,
  };
}

export async function emptyTables(transport: SqlTransport, names: SchemaNames): Promise<void> {
  const tables = tableNames(names).filter((table) => table !== names.meta);
  await transport.executeAtomic({
    name: 'stage.empty',
    binds: {},
    statements: tables.map((table) => ({ name: `empty_${table}`, sql: `DELETE FROM ${table}` })),
  });
}

const JOB_SHAPE = {
  job_id: 'text',
  job_status: 'text',
  from_seq: 'number',
  upto_seq: 'number',
  attempt: 'number',
  lease_token: 'text',
  lost_attempts: 'number',
  was_woken: 'boolean',
  is_due: 'boolean',
  is_leased: 'boolean',
  is_finished: 'boolean',
  reason_code: 'text',
  reason_detail: 'text',
  message_ids: 'json',
  memory_ids: 'json',
  llm_calls: 'number',
  prompt_tokens: 'number',
  completion_tokens: 'number',
} as const;

/** The jobs of a thread in the order in which they were written. */
export function readJobs({ transport, names }: StoreStage, threadId: string) {
  return transport.query({
    name: 'stage.jobs',
    sql: `SELECT j.job_id AS job_id, j.status AS job_status, j.from_seq AS from_seq, j.upto_seq AS upto_seq,
  j.attempt AS attempt, j.lease_token AS lease_token, j.lost_attempts AS lost_attempts,
  CASE WHEN j.woken_at IS NULL THEN 0 ELSE 1 END AS was_woken,
  CASE WHEN j.next_attempt_at <= SYSTIMESTAMP THEN 1 ELSE 0 END AS is_due,
  CASE WHEN j.lease_until > SYSTIMESTAMP THEN 1 ELSE 0 END AS is_leased,
  CASE WHEN j.finished_at IS NULL THEN 0 ELSE 1 END AS is_finished,
  j.reason_code AS reason_code, j.reason_detail AS reason_detail,
  j.message_ids AS message_ids, j.memory_ids AS memory_ids,
  j.llm_calls AS llm_calls, j.prompt_tokens AS prompt_tokens, j.completion_tokens AS completion_tokens
FROM ${names.job} j
WHERE j.thread_id = :thread_id
ORDER BY j.order_seq`,
    binds: { thread_id: text(threadId) },
    shape: JOB_SHAPE,
  });
}

/** Lets time pass for every job: all their times move back. */
export async function ageJobs({ transport, names }: StoreTables, seconds: number): Promise<void> {
  const columns = ['lease_until', 'next_attempt_at', 'woken_at', 'created_at', 'started_at', 'finished_at'];
  await transport.executeAtomic({
    name: 'stage.age_jobs',
    binds: { seconds: number(seconds) },
    statements: [
      {
        name: 'age_jobs',
        sql: `UPDATE ${names.job} j\nSET ${columns.map((column) => `j.${column} = j.${column} - NUMTODSINTERVAL(:seconds, 'SECOND')`).join(', ')}`,
      },
    ],
  });
}

/** Ids and texts that have broken other stores: separators, quotes, wildcards, scripts, prefix neighbours. */
export const ODD_IDS: readonly string[] = [
  'a/b',
  '日本',
  "o'clock",
  '"quoted"',
  '100%',
  '_',
  '*',
  'user',
  'user2',
  'a&run_id=b',
  'x y',
  '🙂',
  'É',
  'null',
  '\\',
  '𠮷'.repeat(128),
];

/** Metadata that shows whether JSON survives as it was. */
export const ODD_METADATA: JsonObject = JSON.parse(
  '{"__proto__":{"polluted":true},"constructor":1,"empty":"","none":null,"list":["a,b","a;b","a|b","","🙂",[1,{"b":2}]],' +
    '"number":1.5,"big":9007199254740991,"false":false,"日本":"É","d e":{"$x":1},"user_id":"victim"}',
);

/** The fields of a record that a caller chose. */
export function chosenFields(record: MemoryRecord | undefined) {
  if (record === undefined) return undefined;
  const { createdAt: _created, updatedAt: _updated, timestamp: _timestamp, ...chosen } = record;
  return chosen;
}
