import type { RetentionPolicy } from '../../schema/retention-policy.ts';
import { type Binds, json, number } from '../../sql/bind.ts';
import { chunkRows } from '../records/chunk-rows.ts';
import { contentFields } from '../records/record-rows.ts';
import type { StoreSettings } from '../store-context.ts';
import { timestampText } from '../timestamp-sql.ts';
import type { UserDataBatch } from './user-data.ts';

const MILLISECONDS_PER_DAY = 86_400_000;
const optionalTime = (instant: string | null) => (instant === null ? undefined : timestampText(instant));

/** The binds of an import. JSON that is stored as JSON travels as text in its row. */
export function importBinds(batch: UserDataBatch, { dimensions, retention }: StoreSettings): Binds {
  const places = placesOf(batch);
  return {
    import_threads: json(batch.threads.map(threadRow)),
    import_records: json(batch.records.map((record) => recordRow(record, retention))),
    chunks: json(
      batch.chunks.flatMap(({ family, recordId, number: chunkNumber, ...chunk }) =>
        chunkRows(family, recordId, [chunk], dimensions).map((row) => ({ ...row, number: chunkNumber })),
      ),
    ),
    import_forms: json(batch.forms.map(formRow)),
    places: json(places),
    thread_total: number(places.length),
    chunk_total: number(batch.chunks.length),
    form_total: number(batch.forms.length),
  };
}

/** The threads of messages, each with the last place that one of them takes. */
function placesOf({ records }: UserDataBatch) {
  const places = new Map<string, number>();
  for (const { recordType, threadId, sequence } of records) {
    if (recordType !== 'message' || typeof threadId !== 'string' || sequence === undefined) continue;
    places.set(threadId, Math.max(places.get(threadId) ?? 0, sequence));
  }
  return [...places].map(([threadId, sequence]) => ({ threadId, sequence }));
}

function threadRow(line: UserDataBatch['threads'][number]) {
  const { extraction, contextCardTokenLimit, maxMessageTokenLength, messageShorteningInputTokenLimit } = line;
  const limits = { contextCardTokenLimit, maxMessageTokenLength, messageShorteningInputTokenLimit };
  const { memoryExtractionCustomInstructions: instructions, ...settings } = extraction;
  const config = {
    extraction: instructions === null ? settings : extraction,
    ...limits,
  };
  return {
    id: line.threadId,
    userId: line.userId,
    agentId: line.agentId,
    metadata: JSON.stringify(line.metadata),
    config: JSON.stringify(config),
    messageCount: line.messageCount,
    extracted: line.extractedSequence,
    summarized: line.summarizedSequence,
    summary: line.runningSummary ?? undefined,
    summaryExpiresAt: optionalTime(line.summaryExpiresAt),
    createdAt: timestampText(line.createdAt),
    updatedAt: timestampText(line.updatedAt),
  };
}

function recordRow(line: UserDataBatch['records'][number], retention: RetentionPolicy) {
  return {
    family: line.family,
    id: line.recordId,
    type: line.recordType,
    threadId: line.threadId ?? undefined,
    userId: line.userId ?? undefined,
    agentId: line.agentId ?? undefined,
    sequence: line.sequence,
    role: line.role,
    ...contentFields(line.content),
    metadata: JSON.stringify(line.metadata),
    status: line.status,
    eventAt: optionalTime(line.timestamp),
    expiresAt: optionalTime(expiryOf(line, retention)),
    createdAt: timestampText(line.createdAt),
    updatedAt: timestampText(line.updatedAt),
  };
}

/** Nothing outlives the maximum of this store, counted from its creation (contract §11); profiles never expire. */
function expiryOf(
  { family, expiresAt, createdAt }: UserDataBatch['records'][number],
  { maxTtlDays }: RetentionPolicy,
): string | null {
  if (maxTtlDays === null || family === 'user_profile') return expiresAt;
  const latest = new Date(Date.parse(createdAt) + maxTtlDays * MILLISECONDS_PER_DAY).toISOString();
  return expiresAt === null || expiresAt > latest ? latest : expiresAt;
}

function formRow(line: UserDataBatch['forms'][number]) {
  return {
    memoryId: line.memoryId,
    ...contentFields(line.content),
    metadata: JSON.stringify(line.metadata),
    status: line.status,
    eventAt: optionalTime(line.timestamp),
    expiresAt: optionalTime(line.expiresAt),
    formAt: timestampText(line.updatedAt),
    replacedAt: timestampText(line.replacedAt),
    operation: line.operation,
    callerId: line.callerId,
    requestId: line.requestId ?? undefined,
  };
}
