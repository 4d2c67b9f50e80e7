import type { JsonObject } from '../../schemas/metadata.ts';
import type { ResultShape, Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { isSummaryStale } from '../extraction/stale-summary.ts';
import { present } from '../row-value.ts';
import { timestampOutput } from '../timestamp-sql.ts';
import type { StoredThread, ThreadConfig } from './stored-thread.ts';

/** Columns of a thread in a result; with an outer join all of them may be NULL. */
export const THREAD_SHAPE = {
  thread_id: 'text',
  thread_user_id: 'text',
  thread_agent_id: 'text',
  thread_metadata: 'json',
  thread_config: 'json',
  message_count: 'number',
  extracted_seq: 'number',
  summarized_seq: 'number',
  running_summary: 'text',
  summary_stale: 'boolean',
  thread_created_at: 'timestamp',
  thread_updated_at: 'timestamp',
} as const satisfies ResultShape;

/** The select list of `THREAD_SHAPE`. */
export function threadColumns(alias: string): string {
  return [
    `${alias}.thread_id AS thread_id`,
    `${alias}.user_id AS thread_user_id`,
    `${alias}.agent_id AS thread_agent_id`,
    `JSON_SERIALIZE(${alias}.metadata RETURNING CLOB) AS thread_metadata`,
    `JSON_SERIALIZE(${alias}.config RETURNING CLOB) AS thread_config`,
    `${alias}.message_count AS message_count`,
    `${alias}.extracted_seq AS extracted_seq`,
    `${alias}.summarized_seq AS summarized_seq`,
    `${alias}.running_summary AS running_summary`,
    `CASE WHEN ${isSummaryStale(alias)} THEN 1 ELSE 0 END AS summary_stale`,
    `${timestampOutput(`${alias}.created_at`)} AS thread_created_at`,
    `${timestampOutput(`${alias}.updated_at`)} AS thread_updated_at`,
  ].join(',\n  ');
}

export function decodeThread(statement: string, row: Row<typeof THREAD_SHAPE>): StoredThread {
  return {
    threadId: present(statement, 'thread_id', row.thread_id),
    userId: present(statement, 'user_id', row.thread_user_id),
    agentId: present(statement, 'agent_id', row.thread_agent_id),
    metadata: decodeMetadata(statement, row.thread_metadata),
    config: decodeConfig(statement, row.thread_config),
    messageCount: present(statement, 'message_count', row.message_count),
    extractedSequence: present(statement, 'extracted_seq', row.extracted_seq),
    summarizedSequence: present(statement, 'summarized_seq', row.summarized_seq),
    runningSummary: row.running_summary,
    summaryStale: present(statement, 'summary_stale', row.summary_stale),
    createdAt: present(statement, 'created_at', row.thread_created_at),
    updatedAt: present(statement, 'updated_at', row.thread_updated_at),
  };
}

/** A metadata column: always a JSON object. */
export function decodeMetadata(statement: string, value: unknown): JsonObject {
  if (!isJsonObject(value)) throw statementFault(statement, 'metadata is not a JSON object');
  return value;
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function decodeConfig(statement: string, value: unknown): ThreadConfig {
  if (!isThreadConfig(value)) throw statementFault(statement, 'config is not a thread configuration');
  // A merge patch cannot store null, so instructions that were cleared are absent.
  return {
    ...value,
    extraction: {
      ...value.extraction,
      memoryExtractionCustomInstructions: value.extraction.memoryExtractionCustomInstructions ?? null,
    },
  };
}

/** Only this program writes the column; the check finds a row of another version, not a forged one. */
function isThreadConfig(value: unknown): value is ThreadConfig {
  return (
    isJsonObject(value) &&
    isJsonObject(value.extraction) &&
    typeof value.contextCardTokenLimit === 'number' &&
    typeof value.maxMessageTokenLength === 'number' &&
    typeof value.messageShorteningInputTokenLimit === 'number'
  );
}
