import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { JsonObject } from '../schemas/metadata.ts';
import type { AddedRecords, PendingRecordBatch } from '../schemas/pending-record-batch.ts';
import { contentAt, indexTextAt, valueAt } from '../schemas/record-batch-rules.ts';
import type { NewMessageRecord, NewRecord } from '../store/records/stored-record.ts';
import type { MemoryContext } from './memory-context.ts';
import { familyOf } from './record-family.ts';
import { createPayloadRows, type RetrievalPayload } from './retrieval-payload.ts';
import { ttlWarnings } from './ttl-warnings.ts';

type NewRow = NewRecord | NewMessageRecord;

/** One record before its retrieval rows are made. */
interface PendingRow {
  readonly payload: RetrievalPayload;
  readonly ttlDays: number | null | undefined;
  complete(chunks: NewRow['chunks']): NewRow;
}

function pendingRow(
  batch: PendingRecordBatch,
  index: number,
  prefix: string,
  newId: () => string,
): PendingRow {
  const family = familyOf(batch.recordType);
  const owner = (ids: PendingRecordBatch['userIds']) => valueAt<string | null>(ids, index);
  const threadId = owner(batch.threadIds);
  const ttlDays = valueAt<number | null>(batch.ttlDays, index);
  const fields = {
    id: valueAt<string | null>(batch.recordIds, index) ?? newId(),
    content: contentAt(batch, index),
    metadata: valueAt<JsonObject | null>(batch.metadata, index) ?? {},
    timestamp: valueAt<string | null>(batch.timestamps, index) ?? null,
    userId: owner(batch.userIds),
    agentId: owner(batch.agentIds),
    ttlDays,
    ttlAnchor: valueAt(batch.ttlAnchor, index) ?? 'created_at',
  } as const;
  const embedding = batch.embeddings?.[index] ?? undefined;
  return {
    payload: {
      text: indexTextAt(batch, index),
      embedding,
      textPath: `${prefix}indexTexts[${index}]`,
      path: `${prefix}embeddings[${index}]`,
    },
    ttlDays,
    complete: (chunks) =>
      family === 'message'
        ? { ...fields, family, role: valueAt(batch.roles, index) ?? '', threadId: threadId ?? '', chunks }
        : { ...fields, family, recordType: batch.recordType, threadId, chunks },
  };
}

/** The database would refuse an id that is given twice as well, after everything was embedded. */
function assertDistinctIds(records: readonly NewRow[]): void {
  const seen = new Set<string>();
  for (const { family, id } of records) {
    const key = `${family} ${id}`;
    if (seen.has(key)) {
      throw new AgentMemoryError('conflict', `A record with the id ${JSON.stringify(id)} already exists.`);
    }
    seen.add(key);
  }
}

async function writeRows(context: MemoryContext, rows: readonly PendingRow[]): Promise<AddedRecords> {
  const bare = rows.map((row) => row.complete([]));
  assertDistinctIds(bare);
  if (context.recorded === undefined) {
    const chunks = await createPayloadRows(
      context,
      rows.map(({ payload }) => payload),
    );
    const records = bare.map((record, index) => ({ ...record, chunks: chunks[index] ?? [] }));
    await context.store.addRecords(records, { signal: context.signal });
  }
  return {
    ids: bare.map(({ id }) => id),
    ...ttlWarnings(
      context.store.retention,
      rows.map(({ ttlDays }) => ttlDays),
    ),
  };
}

function rowsOf(context: MemoryContext, batch: PendingRecordBatch, prefix: string): readonly PendingRow[] {
  return batch.contents.map((_, index) => pendingRow(batch, index, prefix, context.newId));
}

/**
 * Adds records of one type with their retrieval rows (contract §10.2, §10.3), all or nothing. One round trip, and one
 * embedding pass over the texts that come without vectors. Messages take the next places of their threads; no
 * extraction starts, the next `addMessages` that makes one due covers them where the frequency counts messages. Errors:
 * `conflict`, `not_found` for the thread of a message, `invalid_request`, `unsupported`.
 */
export function addRecords(context: MemoryContext, batch: PendingRecordBatch): Promise<AddedRecords> {
  return writeRows(context, rowsOf(context, batch, ''));
}

/** As `addRecords`, for several batches in one write: one round trip, and nothing is written when one is wrong. */
export function addRecordBatches(
  context: MemoryContext,
  batches: readonly PendingRecordBatch[],
): Promise<AddedRecords> {
  return writeRows(
    context,
    batches.flatMap((batch, index) => rowsOf(context, batch, `batches[${index}].`)),
  );
}
