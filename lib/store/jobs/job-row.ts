import { JOB_STATUSES, type Job } from '../../schemas/job.ts';
import type { ResultShape, Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { oneOf, present } from '../row-value.ts';
import { timestampOutput } from '../timestamp-sql.ts';

/** Columns of a job in a result; with an outer join all of them may be NULL. */
export const JOB_SHAPE = {
  job_id: 'text',
  job_thread_id: 'text',
  job_status: 'text',
  attempt: 'number',
  max_attempts: 'number',
  next_attempt_at: 'timestamp',
  reason_code: 'text',
  reason_detail: 'text',
  message_ids: 'json',
  memory_ids: 'json',
  llm_calls: 'number',
  prompt_tokens: 'number',
  completion_tokens: 'number',
  job_created_at: 'timestamp',
  started_at: 'timestamp',
  finished_at: 'timestamp',
} as const satisfies ResultShape;

/** The select list of `JOB_SHAPE`. */
export function jobColumns(alias: string): string {
  return [
    `${alias}.job_id AS job_id`,
    `${alias}.thread_id AS job_thread_id`,
    `${alias}.status AS job_status`,
    `${alias}.attempt AS attempt`,
    `${alias}.max_attempts AS max_attempts`,
    `${timestampOutput(`${alias}.next_attempt_at`)} AS next_attempt_at`,
    `${alias}.reason_code AS reason_code`,
    `${alias}.reason_detail AS reason_detail`,
    `${alias}.message_ids AS message_ids`,
    `${alias}.memory_ids AS memory_ids`,
    `${alias}.llm_calls AS llm_calls`,
    `${alias}.prompt_tokens AS prompt_tokens`,
    `${alias}.completion_tokens AS completion_tokens`,
    `${timestampOutput(`${alias}.created_at`)} AS job_created_at`,
    `${timestampOutput(`${alias}.started_at`)} AS started_at`,
    `${timestampOutput(`${alias}.finished_at`)} AS finished_at`,
  ].join(',\n  ');
}

/** Characters of a job that grow with what it covers. */
export function jobSize(alias: string): string {
  return `NVL(LENGTH(${alias}.message_ids), 0) + NVL(LENGTH(${alias}.memory_ids), 0)`;
}

export function decodeJob(statement: string, row: Row<typeof JOB_SHAPE>): Job {
  return {
    jobId: present(statement, 'job_id', row.job_id),
    threadId: present(statement, 'thread_id', row.job_thread_id),
    status: oneOf(statement, 'status', JOB_STATUSES, row.job_status),
    attempt: present(statement, 'attempt', row.attempt),
    maxAttempts: present(statement, 'max_attempts', row.max_attempts),
    nextAttemptAt: row.next_attempt_at,
    reason: row.reason_code === null ? null : { code: row.reason_code, detail: row.reason_detail ?? '' },
    messageIds: decodeIds(statement, row.message_ids),
    memoryIds: decodeIds(statement, row.memory_ids),
    llmCalls: present(statement, 'llm_calls', row.llm_calls),
    promptTokens: row.prompt_tokens,
    completionTokens: row.completion_tokens,
    createdAt: present(statement, 'created_at', row.job_created_at),
    startedAt: row.started_at,
    finishedAt: row.finished_at,
  };
}

/** A list of ids; NULL stands for none. */
function decodeIds(statement: string, value: unknown): string[] {
  const ids = value ?? [];
  if (!isIdList(ids)) throw statementFault(statement, 'a list of ids is not one');
  return ids;
}

function isIdList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((id) => typeof id === 'string');
}
