import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Bind, text } from '../../sql/bind.ts';
import { oracleErrorOf } from '../../sql/oracle-database-error.ts';
import type { CallOptions, SqlTransport } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query, ResultShape } from '../../sql/statement.ts';
import { timestampOutput } from '../timestamp-sql.ts';
import type { NewRequest } from './recorded-request.ts';

/**
 * A transport for one request: its first write that succeeds also records the request, and is refused as `conflict` when
 * the request is recorded already. Of two at the same time the second waits for the first's row (ORA-00001 when that is
 * committed). Writes about a job keep what they leave of it. No further round trip: all is in the same block, so that the
 * record is there exactly when the change is.
 */
export function withRequestRecord(
  transport: SqlTransport,
  names: SchemaNames,
  request: NewRequest,
): SqlTransport {
  let isRecorded = false;
  return {
    capabilities: transport.capabilities,
    query: <Shape extends ResultShape>(query: Query<Shape>, options?: CallOptions) =>
      transport.query(query, options),
    async executeAtomic(list, options) {
      const recording = recordingList(names, request, list, isRecorded);
      const counts = await transport.executeAtomic(recording, options).catch(refuseForeignThread);
      isRecorded = true;
      return counts;
    },
    executeDdl: (sql, options) => transport.executeDdl(sql, options),
    close: () => transport.close(),
  };
}

/** The database refused a row that is outside of what the caller may touch (row isolation). */
const POLICY_VIOLATION = 28_115;

/**
 * Users and agents that a caller names are checked before, so it is the thread that its request cannot belong to. To the
 * caller that thread does not exist, as the statements of the write would have said next.
 */
function refuseForeignThread(error: unknown): never {
  if (oracleErrorOf(error)?.number !== POLICY_VIOLATION) throw error;
  throw new AgentMemoryError('not_found', 'thread not found', { cause: error });
}

function recordingList(
  names: SchemaNames,
  request: NewRequest,
  list: AtomicList,
  isRecorded: boolean,
): AtomicList {
  const isAboutJob = Object.hasOwn(list.binds, 'job_id');
  if (isRecorded && !isAboutJob) return list;
  return {
    name: list.name,
    binds: {
      ...list.binds,
      request_key: text(request.requestKey),
      ...(isRecorded ? {} : recordBinds(request, list)),
    },
    statements: [
      ...(isRecorded ? [] : [insertRequest(names)]),
      ...list.statements,
      ...(isAboutJob ? [keepJobState(names)] : []),
    ],
  };
}

/** The write knows ids that were generated for it; else what the request says counts. */
function recordBinds({ requestHash, owners }: NewRequest, { binds }: AtomicList): Record<string, Bind> {
  const owner = (name: string, given: string | null): Bind =>
    binds[name]?.type === 'text' ? binds[name] : text(given);
  return {
    request_hash: text(requestHash),
    request_thread_id: owner('thread_id', owners.threadId),
    request_user_id: owner('user_id', owners.userId),
    request_agent_id: owner('agent_id', owners.agentId),
  };
}

function insertRequest(names: SchemaNames): DmlStatement {
  return {
    name: 'insert_request',
    sql: `INSERT INTO ${names.request} (request_key, request_hash, thread_id, user_id, agent_id, created_at)
SELECT :request_key, :request_hash, :request_thread_id, :request_user_id, :request_agent_id, :now
FROM dual
WHERE NOT EXISTS (SELECT 1 FROM ${names.request} q WHERE q.request_key = :request_key)`,
    expect: {
      rows: 1,
      otherwise: 'conflict',
      message: 'a request with this idempotency key was carried out',
    },
  };
}

/** The members are fields of `Job`. A job that the write found not due has no row and no state. */
function keepJobState(names: SchemaNames): DmlStatement {
  return {
    name: 'keep_job_state',
    sql: `UPDATE ${names.request} q
SET q.job_id = :job_id,
  q.thread_id = NVL(q.thread_id, (SELECT j.thread_id FROM ${names.job} j WHERE j.job_id = :job_id)),
  q.job_state = (SELECT JSON_OBJECT(
      'status' VALUE j.status,
      'attempt' VALUE j.attempt,
      'maxAttempts' VALUE j.max_attempts,
      'nextAttemptAt' VALUE ${timestampOutput('j.next_attempt_at')},
      'reasonCode' VALUE j.reason_code,
      'reasonDetail' VALUE j.reason_detail,
      'llmCalls' VALUE j.llm_calls,
      'promptTokens' VALUE j.prompt_tokens,
      'completionTokens' VALUE j.completion_tokens,
      'startedAt' VALUE ${timestampOutput('j.started_at')},
      'finishedAt' VALUE ${timestampOutput('j.finished_at')}
      RETURNING CLOB)
    FROM ${names.job} j
    WHERE j.job_id = :job_id)
WHERE q.request_key = :request_key`,
  };
}
