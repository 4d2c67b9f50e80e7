import { JOB_STATUSES, type Job } from '../../schemas/job.ts';
import { text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query, Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { createMemoryStore } from '../create-memory-store.ts';
import { QUEUE_FULL } from '../jobs/job-lifecycle.ts';
import { decodeJob, JOB_SHAPE, jobColumns } from '../jobs/job-row.ts';
import type { MemoryStore } from '../memory-store.ts';
import { oneOf, present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { timestampOutput } from '../timestamp-sql.ts';
import type { NewRequest, RecordedRequest } from './recorded-request.ts';
import { withRequestRecord } from './request-record.ts';

/** Requests that carried an idempotency key, for the time that their records are kept. */
export interface RequestStore {
  /** Tells the tables of this store from those of others in the same database. */
  readonly storeName: string;
  /** Undefined when no such request has made its change. One round trip. */
  find(requestKey: string, options?: CallOptions): Promise<RecordedRequest | undefined>;
  /** The store for one request: its first write records the request, or is refused as `conflict` when it is recorded. */
  recording(request: NewRequest): MemoryStore;
}

export function createRequestStore(context: StoreContext): RequestStore {
  const { transport, names } = context;
  return Object.freeze({
    storeName: names.prefix,
    find: (requestKey, options) => findRequest(context, requestKey, options),
    recording: (request) =>
      createMemoryStore({ ...context, transport: withRequestRecord(transport, names, request) }),
  } satisfies RequestStore);
}

const REQUEST_SHAPE = {
  request_hash: 'text',
  request_created_at: 'timestamp',
  job_state: 'json',
  lease_holds: 'boolean',
  waits_for_room: 'boolean',
  ...JOB_SHAPE,
} as const;

async function findRequest(
  { names, transport }: StoreContext,
  requestKey: string,
  options?: CallOptions,
): Promise<RecordedRequest | undefined> {
  const query: Query<typeof REQUEST_SHAPE> = {
    name: 'requests.find',
    sql: `SELECT q.request_hash AS request_hash, ${timestampOutput('q.created_at')} AS request_created_at,
  q.job_state AS job_state,
  CASE WHEN j.lease_until > SYSTIMESTAMP THEN 1 ELSE 0 END AS lease_holds,
  CASE WHEN q.created_at + NUMTODSINTERVAL(
      JSON_VALUE(t.config, '$.extraction.backgroundExtractionQueuePutTimeoutSeconds' RETURNING NUMBER), 'SECOND')
      > SYSTIMESTAMP
    AND JSON_VALUE(t.config, '$.extraction.backgroundExtractionQueueFullBehavior' RETURNING VARCHAR2(16)) <> 'drop'
    THEN 1 ELSE 0 END AS waits_for_room,
  ${jobColumns('j')}
FROM ${names.request} q
  LEFT JOIN ${names.job} j ON j.job_id = q.job_id
  LEFT JOIN ${names.thread} t ON t.thread_id = j.thread_id
WHERE q.request_key = :request_key`,
    binds: { request_key: text(requestKey) },
    shape: REQUEST_SHAPE,
  };
  const [row] = await transport.query(query, options);
  return row === undefined ? undefined : decodeRequest(query.name, row);
}

function decodeRequest(statement: string, row: Row<typeof REQUEST_SHAPE>): RecordedRequest {
  const recorded = {
    requestHash: present(statement, 'request_hash', row.request_hash),
    createdAt: present(statement, 'created_at', row.request_created_at),
  };
  if (row.job_state === null) return { ...recorded, job: undefined, isRunning: false };
  const now = decodeJob(statement, row);
  const left = decodeState(statement, row.job_state);
  const isUnended = left.status === 'running';
  return {
    ...recorded,
    job: isUnended ? now : jobAsLeft(now, left),
    isRunning: isUnended
      ? now.status === 'running' && now.attempt === left.attempt && row.lease_holds === true
      : left.status === 'cancelled' && left.reason?.code === QUEUE_FULL && row.waits_for_room === true,
  };
}

type JobState = Omit<Job, 'jobId' | 'threadId' | 'messageIds' | 'memoryIds' | 'createdAt'>;

/** Only a job that succeeded has memories, and it changes no more. */
function jobAsLeft(now: Job, left: JobState): Job {
  return { ...now, ...left, memoryIds: left.status === 'succeeded' ? now.memoryIds : [] };
}

function decodeState(statement: string, value: unknown): JobState {
  const state = Object(value);
  const textOf = (name: string) => textMember(statement, state, name);
  const numberOf = (name: string) => numberMember(statement, state, name);
  const reasonCode = textOf('reasonCode');
  return {
    status: oneOf(statement, 'status', JOB_STATUSES, textOf('status')),
    attempt: present(statement, 'attempt', numberOf('attempt')),
    maxAttempts: present(statement, 'maxAttempts', numberOf('maxAttempts')),
    nextAttemptAt: textOf('nextAttemptAt'),
    reason: reasonCode === null ? null : { code: reasonCode, detail: textOf('reasonDetail') ?? '' },
    llmCalls: present(statement, 'llmCalls', numberOf('llmCalls')),
    promptTokens: numberOf('promptTokens'),
    completionTokens: numberOf('completionTokens'),
    startedAt: textOf('startedAt'),
    finishedAt: textOf('finishedAt'),
  };
}

function textMember(statement: string, state: Record<string, unknown>, name: string): string | null {
  const value = state[name];
  if (value === null || typeof value === 'string') return value;
  throw statementFault(statement, `member ${name} of the state is no text`);
}

function numberMember(statement: string, state: Record<string, unknown>, name: string): number | null {
  const value = state[name];
  if (value === null || typeof value === 'number') return value;
  throw statementFault(statement, `member ${name} of the state is no number`);
}
