import type { CallOptions } from '../sql/sql-transport.ts';
import type { AtomicList } from '../sql/statement.ts';
import { editJobInserts, jobOutcome } from './due-job.ts';
import { executeUpdate, updateList } from './record-update.ts';
import { markSummaryStale } from './stale-summary.ts';
import type { StoreContext } from './store-context.ts';
import type { JobOutcome, MessageEdit } from './stored-message.ts';
import { threadLock } from './threads.ts';

/**
 * Replaces the content of a message and its retrieval rows and starts the extraction over it: one atomic list.
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

function editList(context: StoreContext, edit: MessageEdit): AtomicList {
  const { threadId, messageId, change } = edit;
  const update = updateList(context, 'message', messageId, change, { threadId });
  const job = editJobInserts(context.names, edit);
  return {
    name: edit.canExtract ? 'messages.edit' : 'messages.edit_without_model',
    binds: { ...update.binds, ...job.binds },
    statements: [
      threadLock(context.names, ':thread_id'),
      markSummaryStale(context.names, ' AND r.thread_id = :thread_id'),
      ...update.statements,
      ...job.statements,
    ],
  };
}
