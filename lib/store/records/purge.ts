import type { SchemaNames } from '../../schema/schema-names.ts';
import { json, number } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { AtomicList, DmlStatement, Query } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';

/** How much one purge may do. */
export interface PurgeLimits {
  /** Records that one transaction removes: what its locks and its undo last for. @default LARGEST_PURGE_BATCH */
  readonly batchSize?: number;
  /** Batches of one run. @default DEFAULT_PURGE_BATCHES */
  readonly maximumBatches?: number;
}

/** What one purge did. */
export interface PurgeOutcome {
  /** Expired records that are gone. */
  readonly records: number;
  /** Retrieval rows of these records. */
  readonly chunks: number;
  /** Retrieval rows that had no record: deletes past this program leave them. */
  readonly orphanedChunks: number;
  /** Earlier forms of memories that expired or are no longer there. */
  readonly history: number;
  readonly batches: number;
  /** False when the run ended at its limit; the next run goes on. */
  readonly isComplete: boolean;
}

export const LARGEST_PURGE_BATCH = 1_000;
export const DEFAULT_PURGE_BATCHES = 50;

const KEY_SHAPE = { record_family: 'text', record_id: 'text' } as const;
type KeyQuery = Query<typeof KEY_SHAPE>;

interface RecordKey {
  readonly family: string;
  readonly id: string;
}

/** Something to purge: how a batch of it is found, and how that batch is removed. */
interface PurgePass {
  readonly find: KeyQuery;
  remove(keys: readonly RecordKey[]): AtomicList;
}

interface PassOutcome {
  /** Rows removed, by statement. */
  readonly rows: ReadonlyMap<string, number>;
  readonly batches: number;
  readonly isComplete: boolean;
}

/**
 * Removes what has expired and then retrieval rows and earlier forms without a record (contract §11). Each batch is a transaction of its
 * own, so searches and writes go on between two, and a run that is cut off has lost nothing. No read depends on it: an
 * expired record is invisible at once. Two round trips a batch.
 *
 * @throws RangeError for a limit that is no whole number from 1, or a batch above `LARGEST_PURGE_BATCH`
 */
export async function purgeExpired(
  context: Pick<StoreContext, 'transport' | 'names'>,
  limits: PurgeLimits = {},
  options: CallOptions = {},
): Promise<PurgeOutcome> {
  const { batchSize = LARGEST_PURGE_BATCH, maximumBatches = DEFAULT_PURGE_BATCHES } = limits;
  requireLimit('batchSize', batchSize, LARGEST_PURGE_BATCH);
  requireLimit('maximumBatches', maximumBatches, Number.MAX_SAFE_INTEGER);
  const { transport, names } = context;
  const run = (pass: PurgePass, batches: number): Promise<PassOutcome> =>
    runPass(transport, pass, { batchSize, maximumBatches: batches }, options);
  const expired = await run(expiredRecords(names, batchSize), maximumBatches);
  const chunks = await run(orphanedChunks(names, batchSize), maximumBatches - expired.batches);
  const batches = expired.batches + chunks.batches;
  const history = await run(orphanedHistory(names, batchSize), maximumBatches - batches);
  const removed = (pass: PassOutcome, statement: string) => pass.rows.get(statement) ?? 0;
  return {
    records: removed(expired, 'delete_records'),
    chunks: removed(expired, 'delete_chunks'),
    orphanedChunks: removed(chunks, 'delete_chunks'),
    history: removed(expired, 'delete_history') + removed(history, 'delete_history'),
    batches: batches + history.batches,
    isComplete: expired.isComplete && chunks.isComplete && history.isComplete,
  };
}

async function runPass(
  transport: StoreContext['transport'],
  pass: PurgePass,
  limits: Required<PurgeLimits>,
  options: CallOptions,
): Promise<PassOutcome> {
  const rows = new Map<string, number>();
  for (let batches = 0; batches < limits.maximumBatches; batches += 1) {
    const found = await transport.query(pass.find, options);
    if (found.length === 0) return { rows, batches, isComplete: true };
    const keys = found.map((row) => ({
      family: present(pass.find.name, 'record_family', row.record_family),
      id: present(pass.find.name, 'record_id', row.record_id),
    }));
    const counts = await transport.executeAtomic(pass.remove(keys), options);
    for (const [name, count] of Object.entries(counts)) rows.set(name, (rows.get(name) ?? 0) + count);
    if (found.length < limits.batchSize) return { rows, batches: batches + 1, isComplete: true };
  }
  return { rows, batches: limits.maximumBatches, isComplete: false };
}

const KEYS = `JSON_TABLE(:record_keys, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    family VARCHAR2(16 CHAR) PATH '$.family', id VARCHAR2(128 CHAR) PATH '$.id')) j`;

function expiredRecords(names: SchemaNames, batchSize: number): PurgePass {
  return {
    find: {
      name: 'records.find_expired',
      sql: `SELECT r.record_family AS record_family, r.record_id AS record_id
FROM ${names.record} r
WHERE r.expires_at <= SYSTIMESTAMP
FETCH FIRST :batch_size ROWS ONLY`,
      binds: { batch_size: number(batchSize) },
      shape: KEY_SHAPE,
    },
    remove: (keys) => ({
      name: 'records.purge_expired',
      binds: { record_keys: json(keys) },
      statements: [
        {
          name: 'delete_records',
          sql: `DELETE FROM ${names.record} r
WHERE (r.record_family, r.record_id) IN (SELECT j.family, j.id FROM ${KEYS})
  AND r.expires_at <= :now`,
        },
        deleteWithoutRecord(names, 'delete_chunks', names.chunk),
        deleteWithoutRecord(names, 'delete_history', names.history),
      ],
    }),
  };
}

function orphanedChunks(names: SchemaNames, batchSize: number): PurgePass {
  const remove = deleteWithoutRecord(names, 'delete_chunks', names.chunk);
  return orphanPass(names, 'chunks', names.chunk, remove, batchSize);
}

/** A purge by the database of an earlier version leaves them, and so do deletes past this program. */
function orphanedHistory(names: SchemaNames, batchSize: number): PurgePass {
  const remove = deleteWithoutRecord(names, 'delete_history', names.history);
  return orphanPass(names, 'history', names.history, remove, batchSize);
}

function orphanPass(
  names: SchemaNames,
  noun: 'chunks' | 'history',
  table: string,
  remove: DmlStatement,
  batchSize: number,
): PurgePass {
  return {
    find: {
      name: `${noun}.find_orphans`,
      sql: `SELECT DISTINCT c.record_family AS record_family, c.record_id AS record_id
FROM ${table} c
WHERE ${withoutRecord(names)}
FETCH FIRST :batch_size ROWS ONLY`,
      binds: { batch_size: number(batchSize) },
      shape: KEY_SHAPE,
    },
    remove: (keys) => ({
      name: `${noun}.purge_orphans`,
      binds: { record_keys: json(keys) },
      statements: [remove],
    }),
  };
}

function deleteWithoutRecord(names: SchemaNames, name: string, table: string): DmlStatement {
  return {
    name,
    sql: `DELETE FROM ${table} c
WHERE (c.record_family, c.record_id) IN (SELECT j.family, j.id FROM ${KEYS})
  AND ${withoutRecord(names)}`,
  };
}

function withoutRecord(names: SchemaNames): string {
  return `NOT EXISTS (SELECT 1 FROM ${names.record} r
    WHERE r.record_family = c.record_family AND r.record_id = c.record_id)`;
}

function requireLimit(name: string, value: number, largest: number): void {
  if (!Number.isSafeInteger(value) || value < 1 || value > largest) {
    throw new RangeError(`${name} must be a whole number from 1 to ${largest}`);
  }
}
