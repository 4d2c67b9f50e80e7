import { json, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement } from '../../sql/statement.ts';
import { auditRecords } from '../audit/audit-entries.ts';
import { authorBinds } from '../audit/write-author.ts';
import { recordLimits } from '../caller-limits-sql.ts';
import { lockMessageThread, markSummaryStale, moveSummaryExpiry } from '../extraction/stale-summary.ts';
import { editJobInserts, jobOutcome } from '../jobs/due-job.ts';
import { ONE_RECORD, requireTimestamp } from '../records/changed-fields.ts';
import { chunkRows } from '../records/chunk-rows.ts';
import { executeUpdate } from '../records/record-update.ts';
import { moveChunkExpiry, replaceChunks } from '../records/retrieval-update.ts';
import { requestSql } from '../request-sql/request-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { threadLock } from '../threads/threads.ts';
import { notExpired } from '../timestamp-sql.ts';
import type { JobOutcome, MessageEdit } from './stored-message.ts';

/** Statements about the content of a message, and what they bind beside its ids. */
type ContentChange = Pick<AtomicList, 'binds' | 'statements'>;

const IN_THREAD = ' AND r.thread_id = :thread_id';
/** True for a message `r` whose stored text is not the new one. A large object knows no `=` (ORA-00932). */
const IS_EDITED =
  ' AND (r.content IS NULL OR :content IS NULL OR DBMS_LOB.COMPARE(r.content, :content) <> 0)';

/**
 * Changes a message of exactly this thread and, when its content becomes another, replaces its retrieval rows, marks the
 * running summary stale that covers it and starts the extraction over it: one atomic list. Whether the content is
 * another one is decided there, so nothing has to be read before.
 *
 * @returns undefined when there is no such message in the thread: then nothing was written
 * @throws AgentMemoryError `invalid_request` when days count from a timestamp and the message has none
 */
export async function editMessage(
  context: StoreContext,
  edit: MessageEdit,
  options?: CallOptions,
): Promise<JobOutcome | undefined> {
  const counts = await executeUpdate(context, editList(context, edit), options);
  return counts === undefined ? undefined : jobOutcome(counts);
}

/**
 * What depends on the old content comes before the record changes. New retrieval rows take the expiry that the message
 * had, and move with it to the new one.
 */
function editList(context: StoreContext, edit: MessageEdit): AtomicList {
  const { names } = context;
  const { threadId, messageId, change } = edit;
  const content = contentChange(context, edit);
  const fields = fieldChange(context, change);
  const audit = editAudit(context, change);
  const lock = threadLock(context, ':thread_id');
  const limits = recordLimits(context, 'r', 'message');
  return {
    name: `messages.edit${content.statements.length === 0 ? '_fields' : edit.canExtract ? '' : '_without_model'}`,
    binds: {
      record_family: text('message'),
      record_id: text(messageId),
      thread_id: text(threadId),
      ...fields.binds,
      ...content.binds,
      ...lock.binds,
      ...limits.binds,
      ...audit.binds,
    },
    statements: [
      ...lock.statements,
      ...(change.lifetime === undefined ? [] : [lockMessageThread(names)]),
      {
        name: 'find_message',
        sql: `UPDATE ${names.record} r\nSET r.status = r.status\nWHERE ${ONE_RECORD} AND ${notExpired('r')}${IN_THREAD}${limits.sql}`,
        expect: { rows: 1, otherwise: 'not_found', message: 'message not found' },
      },
      ...audit.statements,
      ...content.statements,
      ...fields.statements,
    ],
  };
}

function contentChange({ names, settings }: StoreContext, edit: MessageEdit): ContentChange {
  const { messageId, change } = edit;
  if (change.content === undefined) return { binds: {}, statements: [] };
  const rows = chunkRows('message', messageId, change.content.chunks, settings.dimensions);
  const job = editJobInserts(names, edit, IS_EDITED);
  return {
    binds: { chunks: json(rows), ...job.binds },
    statements: [
      markSummaryStale(names, IN_THREAD + IS_EDITED),
      ...replaceChunks(names, settings.dimensions, IS_EDITED),
      ...job.statements,
    ],
  };
}

/** What changes nothing is not recorded. It stands before the change, which makes the stored content the new one. */
function editAudit(context: StoreContext, change: MessageEdit['change']): ContentChange {
  const isMore = changesFields(change);
  if (change.content === undefined && !isMore) return { binds: {}, statements: [] };
  return {
    binds: authorBinds(context, 'updateMessage'),
    statements: [auditRecords(context.names, ONE_RECORD + (isMore ? '' : IS_EDITED))],
  };
}

/** Whether more than the content is given. */
function changesFields({ metadata, lifetime }: MessageEdit['change']): boolean {
  return metadata !== undefined || lifetime !== undefined;
}

/** Content alone that is the same changes nothing, `updated_at` neither. */
function fieldChange(
  { names, settings, transport }: StoreContext,
  change: MessageEdit['change'],
): ContentChange {
  const { content, lifetime } = change;
  const isMore = changesFields(change);
  if (content === undefined && !isMore) return { binds: {}, statements: [] };
  const fields = requestSql(transport).changedFields(change, settings.retention);
  const update: DmlStatement = {
    name: 'update_record',
    sql: `UPDATE ${names.record} r
SET ${fields.assignments.join(',\n  ')}
WHERE ${ONE_RECORD}${isMore ? '' : IS_EDITED}`,
  };
  const moves = lifetime === undefined ? [] : [moveChunkExpiry(names), moveSummaryExpiry(names)];
  return {
    binds: fields.binds,
    statements: [update, ...(fields.needsTimestamp ? [requireTimestamp(names)] : []), ...moves],
  };
}
