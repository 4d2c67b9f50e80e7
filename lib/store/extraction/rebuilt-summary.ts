import { clob, number, text } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import { threadLimits } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { timestampInput, timestampText } from '../timestamp-sql.ts';
import type { RebuiltSummary } from './extraction-outcome.ts';
import { isSummaryStale, summaryExpiry } from './stale-summary.ts';

/**
 * Replaces a stale running summary, unless the thread has changed since the state that the new one was made from.
 *
 * @returns false when the thread has changed, is gone or has a summary that is not stale: then nothing was written
 */
export async function saveRebuiltSummary(
  context: StoreContext,
  summary: RebuiltSummary,
  options?: CallOptions,
): Promise<boolean> {
  const { names, transport } = context;
  const limits = threadLimits(context, 't');
  const counts = await transport.executeAtomic(
    {
      name: 'threads.save_rebuilt_summary',
      binds: {
        thread_id: text(summary.threadId),
        summary: clob(summary.text),
        summarized_seq: number(summary.uptoSequence),
        read_updated_at: text(timestampText(summary.threadUpdatedAt)),
        ...limits.binds,
      },
      statements: [
        {
          name: 'save_summary',
          sql: `UPDATE ${names.thread} t
SET t.running_summary = :summary, t.summarized_seq = :summarized_seq, t.summary_stale = 0,
  t.summary_expires_at = ${summaryExpiry(names, ':now')}
WHERE t.thread_id = :thread_id AND ${isSummaryStale('t')} AND t.message_count = :summarized_seq
  AND t.updated_at = ${timestampInput(':read_updated_at')}${limits.sql}`,
        },
      ],
    },
    options,
  );
  return counts.save_summary === 1;
}
