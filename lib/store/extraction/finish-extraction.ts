import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { SchemaNames } from '../../schema/schema-names.ts';
import { type Binds, clob, json, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords, isAmong } from '../audit/audit-entries.ts';
import { passAuthorBinds } from '../audit/write-author.ts';
import { keepHistory } from '../history/keep-history.ts';
import { EXTRACTION_KIND } from '../jobs/due-job.ts';
import { addUsage, usageBinds } from '../jobs/job-usage.ts';
import { chunkInsert } from '../records/chunk-rows.ts';
import { recordBinds, recordInsert } from '../records/record-rows.ts';
import type { StoreContext } from '../store-context.ts';
import { takenId } from '../taken-id.ts';
import type { ExtractionOutcome, OutcomeWrite } from './extraction-outcome.ts';
import { lockOwners, MEMORIES_CHANGED, requireTally, tallyBinds } from './memory-tally.ts';
import { isSummaryStale, summaryExpiry } from './stale-summary.ts';

/**
 * Writes what an extraction pass produced, guarded by its lease: memories, superseded ones, running summary, watermark
 * and the outcome of the job, all or nothing.
 *
 * @throws AgentMemoryError `conflict` for a memory id that is taken
 */
export async function finishExtraction(
  context: StoreContext,
  outcome: ExtractionOutcome,
  options?: CallOptions,
): Promise<OutcomeWrite> {
  try {
    await context.transport.executeAtomic(finishList(context, outcome), options);
    return 'written';
  } catch (error) {
    if (!AgentMemoryError.is(error)) throw error;
    if (error.code === 'not_found') return 'lost';
    if (error.code !== 'conflict') throw error;
    if (error.message === MEMORIES_CHANGED) return 'other_memories';
    throw takenId('a memory with one of these ids already exists', error);
  }
}

/**
 * Threads are locked before the job, as in every list that locks both, the oldest one first. A pass without memories
 * keeps no other waiting.
 */
function finishList(context: StoreContext, outcome: ExtractionOutcome): AtomicList {
  const { names, settings } = context;
  const threadOfJob = `(SELECT j.thread_id FROM ${names.job} j WHERE j.job_id = :job_id)`;
  const adds = outcome.memories.length > 0;
  return {
    name: `extraction.finish${adds ? '_with_memories' : ''}${outcome.summary === null ? '' : '_with_summary'}`,
    binds: {
      ...outcomeBinds(outcome),
      ...passAuthorBinds(context, outcome.jobId, adds),
      ...(adds ? { ...recordBinds(outcome.memories, settings), ...tallyBinds(outcome.comparedWith) } : {}),
    },
    statements: [
      ...(adds ? [lockOwners(names, threadOfJob)] : []),
      lockThreadUnderLease(names),
      ...(adds ? [requireTally(names, threadOfJob)] : []),
      finishJob(names),
      ...(outcome.summary === null ? [] : [writeSummary(names, threadOfJob)]),
      ...(adds ? addMemories(context, threadOfJob) : []),
      ...supersede(names, threadOfJob),
    ],
  };
}

function outcomeBinds(outcome: ExtractionOutcome): Binds {
  const { summary } = outcome;
  return {
    job_id: text(outcome.jobId),
    lease_token: text(outcome.leaseToken),
    job_status: text(outcome.status),
    reason_code: text(outcome.reason?.code ?? null),
    reason_detail: text(outcome.reason?.detail ?? null),
    memory_ids: json(outcome.memories.map((memory) => memory.id)),
    ...usageBinds(outcome),
    superseded_ids: json(outcome.supersededIds),
    ...(summary === null
      ? {}
      : { summary: clob(summary.text), summarized_seq: number(summary.uptoSequence) }),
  };
}

/** Also moves the watermark: messages of a failed job stay its own, to be retried with it; an edit moves nothing. */
function lockThreadUnderLease(names: SchemaNames): DmlStatement {
  const held = `j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token`;
  return {
    name: 'lock_thread',
    sql: `UPDATE ${names.thread} t
SET t.extracted_seq = CASE WHEN :job_status = 'succeeded'
    THEN GREATEST(t.extracted_seq, NVL((SELECT j.upto_seq FROM ${names.job} j
      WHERE ${held} AND j.kind = '${EXTRACTION_KIND}'), 0))
    ELSE t.extracted_seq END
WHERE t.thread_id = (SELECT j.thread_id FROM ${names.job} j WHERE ${held})`,
    expect: {
      rows: 1,
      otherwise: 'not_found',
      message: 'the lease of the job was lost or its thread is gone',
    },
  };
}

function finishJob(names: SchemaNames): DmlStatement {
  return {
    name: 'finish_job',
    sql: `UPDATE ${names.job} j
SET j.status = :job_status, j.lease_token = NULL, j.lease_until = NULL, j.next_attempt_at = NULL,
  j.finished_at = :now, j.reason_code = :reason_code, j.reason_detail = :reason_detail,
  j.memory_ids = :memory_ids,
  ${addUsage()}
WHERE j.job_id = :job_id AND j.status = 'running' AND j.lease_token = :lease_token`,
    expect: { rows: 1, otherwise: 'not_found', message: 'the lease of the job was lost' },
  };
}

/**
 * A pass that read no more than another has summarised already keeps that summary. A message may have been deleted
 * after the pass read it: a summary that became stale since the job started stays stale (D3). If it was made anew
 * meanwhile, it covers all that this pass read, and only the new form is without the deleted message.
 */
function writeSummary(names: SchemaNames, threadOfJob: string): DmlStatement {
  const started = `(SELECT j.started_at FROM ${names.job} j WHERE j.job_id = :job_id)`;
  return {
    name: 'write_summary',
    sql: `UPDATE ${names.thread} t
SET t.running_summary = :summary, t.summarized_seq = :summarized_seq,
  t.summary_stale = CASE WHEN t.summary_stale = 1
      AND t.updated_at > ${started}
    THEN 1 ELSE 0 END,
  t.summary_expires_at = ${summaryExpiry(names, started)}
WHERE t.thread_id = ${threadOfJob} AND (t.summarized_seq < :summarized_seq OR ${isSummaryStale('t')})`,
  };
}

function addMemories({ names, settings }: StoreContext, threadOfJob: string): readonly DmlStatement[] {
  return [
    recordInsert(names, threadOfJob),
    chunkInsert(names, settings.dimensions),
    auditRecords(names, isAmong('memory', 'memory_ids', '$'), {
      name: 'audit_added',
      operation: 'author_operation',
    }),
  ];
}

/** Only memories of the thread's own user: an id from a model is no proof of whose memory it is. */
function supersede(names: SchemaNames, threadOfJob: string): readonly DmlStatement[] {
  const isReplaced = `r.status = 'active' AND ${isAmong('memory', 'superseded_ids', '$')}
  AND r.user_id = (SELECT t.user_id FROM ${names.thread} t WHERE t.thread_id = ${threadOfJob})`;
  const mark = (name: string, table: string, further: string): DmlStatement => ({
    name,
    sql: `UPDATE ${table} r\nSET r.status = 'superseded'${further}\nWHERE ${isReplaced}`,
  });
  return [
    keepHistory(names, isReplaced, 'superseding_operation'),
    auditRecords(names, isReplaced, { name: 'audit_superseded', operation: 'superseding_operation' }),
    mark('supersede_records', names.record, ', r.updated_at = :now'),
    mark('supersede_chunks', names.chunk, ''),
  ];
}
