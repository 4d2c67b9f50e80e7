import { type PagedList, writeCursor } from '../schemas/cursor.ts';
import type { RecordPage } from '../schemas/record.ts';
import type { RecordPage as StoredPage } from '../store/records/stored-record.ts';
import { takeWithinAnswer } from './answer-size.ts';

/** A page as callers see it: what fits one answer, and a cursor after its last record when the list goes on. */
export function toRecordPage(list: PagedList, { records, more }: StoredPage): RecordPage {
  const items = takeWithinAnswer(records.map(({ record }) => record));
  const last = records[items.length - 1];
  const goesOn = more || items.length < records.length;
  return {
    items: [...items],
    nextCursor: goesOn && last !== undefined ? writeCursor(list, last.position) : null,
  };
}
