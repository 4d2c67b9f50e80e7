import { json } from '../../sql/bind.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Query } from '../../sql/statement.ts';
import type { RecordFamily } from '../records/stored-record.ts';
import type { StoreContext } from '../store-context.ts';
import type { UserDataBatch } from './user-data.ts';

/** Something of an import whose id is in use. */
export interface TakenId {
  readonly kind: 'thread' | RecordFamily;
  readonly id: string;
  /** Of a retrieval text: its number within that record. */
  readonly number?: number;
}

const SHAPE = { item_place: 'number' } as const;

/**
 * What of an import is stored already: the first of its threads, else of its records, else of its retrieval texts. It asks for
 * every id that the import names, also outside the limits of the caller, who has just been told that one of them is taken. One
 * round trip.
 */
export async function findTakenId(
  { transport, names }: StoreContext,
  batch: UserDataBatch,
  options?: CallOptions,
): Promise<TakenId | undefined> {
  const items = idsOf(batch);
  const query: Query<typeof SHAPE> = {
    name: 'users.find_taken_id',
    sql: `SELECT i.item_place AS item_place
FROM JSON_TABLE(:import_ids, '$[*]' ERROR ON ERROR NULL ON EMPTY COLUMNS (
    item_place FOR ORDINALITY,
    item_kind VARCHAR2(16 CHAR) PATH '$.kind',
    item_id VARCHAR2(128 CHAR) PATH '$.id',
    item_number NUMBER PATH '$.number')) i
WHERE (i.item_kind = 'thread' AND EXISTS (SELECT 1 FROM ${names.thread} t WHERE t.thread_id = i.item_id))
  OR (i.item_number IS NULL AND EXISTS (SELECT 1 FROM ${names.record} r
    WHERE r.record_family = i.item_kind AND r.record_id = i.item_id))
  OR EXISTS (SELECT 1 FROM ${names.chunk} c
    WHERE c.record_family = i.item_kind AND c.record_id = i.item_id AND c.chunk_no = i.item_number)
ORDER BY item_place
FETCH FIRST 1 ROWS ONLY`,
    binds: { import_ids: json(items) },
    shape: SHAPE,
  };
  const [row] = await transport.query(query, options);
  return row?.item_place == null ? undefined : items[row.item_place - 1];
}

function idsOf({ threads, records, chunks }: UserDataBatch): readonly TakenId[] {
  return [
    ...threads.map(({ threadId }): TakenId => ({ kind: 'thread', id: threadId })),
    ...records.map(({ family, recordId }): TakenId => ({ kind: family, id: recordId })),
    ...chunks.map(({ family, recordId, number }): TakenId => ({ kind: family, id: recordId, number })),
  ];
}
