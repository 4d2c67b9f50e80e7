import { memoryExtractionConfigSchema, type ResolvedExtractionConfig } from '../../schemas/extraction.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import { hasHiddenMessages } from '../caller-limits-sql.ts';
import type { StoreContext } from '../store-context.ts';
import { decodeThread, THREAD_SHAPE, threadColumns } from '../threads/thread-row.ts';
import { timestampOutput } from '../timestamp-sql.ts';
import { exportQuery, userThreads } from './export-query.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';
import { toUserDataPage } from './user-data-page.ts';

const resolvedSchema = memoryExtractionConfigSchema.required();

/** A database may give the members of an object in any order; the same settings are the same line. */
function inOneOrder(extraction: ResolvedExtractionConfig): ResolvedExtractionConfig {
  return resolvedSchema.parse(extraction);
}

/** Threads of a user. A running summary of messages that the caller may not see is left out as one that is out of date. */
export async function exportThreads(
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
): Promise<UserDataPage> {
  const { thread } = context.names;
  const ofUser = userThreads(context, 'x');
  const hidden = hasHiddenMessages(context, 'x');
  const query = exportQuery(
    {
      name: 'users.export_threads',
      from: `${thread} x`,
      table: thread,
      key: ['thread_id'],
      position: ['x.order_seq', '0'],
      condition: ofUser.sql,
      size: `(NVL(LENGTH(x.running_summary), 0) + LENGTH(JSON_SERIALIZE(x.metadata RETURNING CLOB))
      + LENGTH(JSON_SERIALIZE(x.config RETURNING CLOB)))`,
      columns: `${threadColumns('x')},
  ${timestampOutput('x.summary_expires_at')} AS summary_expires_at, ${hidden.sql} AS hides_messages`,
      shape: { ...THREAD_SHAPE, summary_expires_at: 'timestamp', hides_messages: 'boolean' } as const,
      binds: { ...ofUser.binds, ...hidden.binds },
    },
    request,
  );
  const rows = await context.transport.query(query, options);
  return toUserDataPage(query.name, request, rows, (row) => {
    const { config, summaryStale, runningSummary, summarizedSequence, ...thread } = decodeThread(
      query.name,
      row,
    );
    const isKept = !summaryStale && row.hides_messages !== true && runningSummary !== null;
    return {
      type: 'thread',
      ...thread,
      ...config,
      extraction: inOneOrder(config.extraction),
      runningSummary: isKept ? runningSummary : null,
      summarizedSequence: isKept ? summarizedSequence : 0,
      summaryExpiresAt: isKept ? row.summary_expires_at : null,
    };
  });
}
