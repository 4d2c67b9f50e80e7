import type { SchemaNames } from '../schema/schema-names.ts';
import { type Binds, number, text } from '../sql/bind.ts';
import type { DmlStatement } from '../sql/statement.ts';
import type { MessageAppend } from './memory-store.ts';

/** `kind` of the jobs that turn messages into memories. */
export const EXTRACTION_KIND = 'extraction';

/** How a due job starts: SQL values of its columns. */
interface JobStart {
  readonly name: string;
  readonly status: string;
  readonly attempt: string;
  readonly leaseToken: string;
  readonly leaseUntil: string;
  readonly nextAttemptAt: string;
  readonly reasonCode: string;
  readonly reasonDetail: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** Which extraction modes start so. */
  readonly when: string;
}

const NOT_STARTED = {
  attempt: '0',
  leaseToken: 'NULL',
  leaseUntil: 'NULL',
  nextAttemptAt: 'NULL',
  reasonCode: 'NULL',
  reasonDetail: 'NULL',
  startedAt: 'NULL',
  finishedAt: 'NULL',
};

const RUNNING: JobStart = {
  ...NOT_STARTED,
  name: 'insert_running_job',
  status: 'running',
  attempt: '1',
  leaseToken: ':lease_token',
  leaseUntil: `:now + NUMTODSINTERVAL(:lease_seconds, 'SECOND')`,
  startedAt: ':now',
  when: `d.extraction_mode = 'inline'`,
};

const PENDING: JobStart = {
  ...NOT_STARTED,
  name: 'insert_pending_job',
  status: 'pending',
  nextAttemptAt: ':now',
  when: `d.extraction_mode = 'background'`,
};

const UNSUPPORTED: JobStart = {
  ...NOT_STARTED,
  name: 'insert_unsupported_job',
  status: 'failed',
  reasonCode: `'unsupported'`,
  reasonDetail: `'no language model is configured'`,
  finishedAt: ':now',
  when: `d.extraction_mode IN ('inline', 'background')`,
};

/**
 * Inserts the extraction job of an append when the thread's stored configuration makes one due; the row counts tell
 * which. They run after `count_messages` and read its result. The job covers the new batch (frequency −1) or all
 * messages that no earlier job covers (D1).
 */
export function dueJobInserts(
  names: SchemaNames,
  append: MessageAppend,
): { readonly binds: Binds; readonly statements: readonly DmlStatement[] } {
  const binds = { job_id: text(append.jobId), max_attempts: number(append.maxAttempts) };
  if (!append.canExtract) return { binds, statements: [jobInsert(names, UNSUPPORTED)] };
  return {
    binds: {
      ...binds,
      lease_token: text(append.leaseToken),
      lease_seconds: number(append.leaseSeconds),
    },
    statements: [jobInsert(names, RUNNING), jobInsert(names, PENDING)],
  };
}

function jobInsert(names: SchemaNames, start: JobStart): DmlStatement {
  return {
    name: start.name,
    sql: `INSERT INTO ${names.job} (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT :job_id, '${EXTRACTION_KIND}', d.thread_id, '${start.status}', d.from_seq, d.upto_seq,
  ${start.attempt}, :max_attempts, ${start.leaseToken}, ${start.leaseUntil}, ${start.nextAttemptAt},
  ${start.reasonCode}, ${start.reasonDetail},
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM ${names.record} r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  :now, ${start.startedAt}, ${start.finishedAt}
FROM (${dueRange(names)}) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND ${start.when}`,
  };
}

/**
 * The messages that are due in the thread. The watermark moves when a job ends, so those of jobs that are still open
 * count as covered too.
 */
function dueRange(names: SchemaNames): string {
  return `SELECT s.thread_id, s.extraction_mode, s.frequency, s.message_count AS upto_seq,
    CASE WHEN s.frequency = -1 THEN s.message_count - :message_total ELSE s.covered_seq END + 1 AS from_seq
  FROM (SELECT t.thread_id, t.message_count,
      JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode,
      JSON_VALUE(t.config, '$.extraction.memoryExtractionFrequency' RETURNING NUMBER) AS frequency,
      GREATEST(t.extracted_seq, NVL((SELECT MAX(j.upto_seq) FROM ${names.job} j
        WHERE j.thread_id = :thread_id AND j.kind = '${EXTRACTION_KIND}'), 0)) AS covered_seq
    FROM ${names.thread} t
    WHERE t.thread_id = :thread_id
      AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')) s`;
}
