import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, number, text } from '../../sql/bind.ts';
import type { DmlStatement } from '../../sql/statement.ts';
import type { JobOutcome, JobStart } from '../messages/stored-message.ts';
import { QUEUE_FULL, QUEUE_FULL_DETAIL } from './job-lifecycle.ts';
import { hasQueueCapacity } from './queue-capacity.ts';

/** `kind` of the jobs that turn new messages into memories: they count for frequency and watermark. */
export const EXTRACTION_KIND = 'extraction';
/** `kind` of the jobs over one edited message. */
export const EDIT_KIND = 'message_edit';

/** How a due job starts: SQL values of its columns. */
interface StartColumns {
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

const RUNNING: StartColumns = {
  ...NOT_STARTED,
  name: 'insert_running_job',
  status: 'running',
  attempt: '1',
  leaseToken: ':lease_token',
  leaseUntil: `:now + NUMTODSINTERVAL(:lease_seconds, 'SECOND')`,
  startedAt: ':now',
  when: `d.extraction_mode = 'inline'`,
};

const pending = (names: SchemaNames): StartColumns => ({
  ...NOT_STARTED,
  name: 'insert_pending_job',
  status: 'pending',
  nextAttemptAt: ':now',
  when: `d.extraction_mode = 'background' AND ${hasQueueCapacity(names)}`,
});

/** After `insert_pending_job`, which did not find room. The job shows what was left out, and can be retried. */
const leftOut = (names: SchemaNames): StartColumns => ({
  ...NOT_STARTED,
  name: 'insert_left_out_job',
  status: 'cancelled',
  reasonCode: `'${QUEUE_FULL}'`,
  reasonDetail: `'${QUEUE_FULL_DETAIL}'`,
  finishedAt: ':now',
  when: `d.extraction_mode = 'background'
  AND NOT EXISTS (SELECT 1 FROM ${names.job} p WHERE p.job_id = :job_id)`,
});

const UNSUPPORTED: StartColumns = {
  ...NOT_STARTED,
  name: 'insert_unsupported_job',
  status: 'failed',
  reasonCode: `'unsupported'`,
  reasonDetail: `'Extraction needs a language model and none is configured.'`,
  finishedAt: ':now',
  when: `d.extraction_mode IN ('inline', 'background')`,
};

interface JobInserts {
  readonly binds: Binds;
  readonly statements: readonly DmlStatement[];
}

/**
 * Inserts the extraction job of an append when the thread's stored configuration makes one due; the row counts tell
 * which. They run after `count_messages` and read its result. The job covers the new batch (frequency −1) or all
 * messages that no earlier job covers (D1).
 */
export function dueJobInserts(names: SchemaNames, start: JobStart): JobInserts {
  return jobInserts(names, start, (columns) => jobInsert(names, EXTRACTION_KIND, dueRange(names), columns));
}

/**
 * Inserts the extraction job of an edit when the thread's stored configuration asks for extraction.
 *
 * @param further Further condition on the message `r`: where it does not hold, there is no job
 */
export function editJobInserts(names: SchemaNames, start: JobStart, further: string): JobInserts {
  return jobInserts(names, start, (columns) =>
    jobInsert(names, EDIT_KIND, editedRange(names, further), columns),
  );
}

/** Which of the inserts found the job due, by their row counts. */
export function jobOutcome(counts: Readonly<Record<string, number>>): JobOutcome {
  if (counts.insert_running_job === 1) return { job: 'running' };
  if (counts.insert_pending_job === 1) return { job: 'pending' };
  if (counts.insert_left_out_job === 1) return { job: 'full' };
  return { job: counts.insert_unsupported_job === 1 ? 'unsupported' : 'none' };
}

function jobInserts(
  names: SchemaNames,
  start: JobStart,
  insert: (columns: StartColumns) => DmlStatement,
): JobInserts {
  const binds = { job_id: text(start.jobId), max_attempts: number(start.maxAttempts) };
  if (!start.canExtract) return { binds, statements: [insert(UNSUPPORTED)] };
  return {
    binds: {
      ...binds,
      lease_token: text(start.leaseToken),
      lease_seconds: number(start.leaseSeconds),
      queue_capacity: number(start.queueCapacity),
    },
    statements: [insert(RUNNING), insert(pending(names)), insert(leftOut(names))],
  };
}

function jobInsert(names: SchemaNames, kind: string, range: string, start: StartColumns): DmlStatement {
  return {
    name: start.name,
    sql: `INSERT INTO ${names.job} (job_id, kind, thread_id, status, from_seq, upto_seq, attempt, max_attempts,
  lease_token, lease_until, next_attempt_at, reason_code, reason_detail, message_ids,
  created_at, started_at, finished_at)
SELECT :job_id, '${kind}', d.thread_id, '${start.status}', d.from_seq, d.upto_seq,
  ${start.attempt}, :max_attempts, ${start.leaseToken}, ${start.leaseUntil}, ${start.nextAttemptAt},
  ${start.reasonCode}, ${start.reasonDetail},
  (SELECT JSON_ARRAYAGG(r.record_id ORDER BY r.message_seq RETURNING CLOB)
    FROM ${names.record} r
    WHERE r.thread_id = d.thread_id AND r.record_family = 'message'
      AND r.message_seq BETWEEN d.from_seq AND d.upto_seq),
  :now, ${start.startedAt}, ${start.finishedAt}
FROM (${range}) d
WHERE d.upto_seq - d.from_seq + 1 >= d.frequency AND ${start.when}`,
  };
}

/** The edited message alone: it is not counted again. */
function editedRange(names: SchemaNames, further: string): string {
  return `SELECT t.thread_id, 1 AS frequency, r.message_seq AS from_seq, r.message_seq AS upto_seq,
    JSON_VALUE(t.config, '$.extraction.extractionMode' RETURNING VARCHAR2(16)) AS extraction_mode
  FROM ${names.thread} t
    JOIN ${names.record} r ON r.thread_id = t.thread_id
  WHERE t.thread_id = :thread_id AND r.record_family = 'message' AND r.record_id = :record_id${further}
    AND JSON_EXISTS(t.config, '$.extraction?(@.extractMemories == true)')`;
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
