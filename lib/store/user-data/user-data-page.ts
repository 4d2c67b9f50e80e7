import type { UserDataLine } from '../../schemas/user-data.ts';
import type { Row } from '../../sql/statement.ts';
import { present } from '../row-value.ts';
import type { POSITION_SHAPE } from './export-query.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';

/** The lines of rows with their positions. */
export function toUserDataPage<Found extends Row<typeof POSITION_SHAPE>>(
  statement: string,
  { part }: UserDataRequest,
  rows: readonly Found[],
  toLine: (row: Found) => UserDataLine,
): UserDataPage {
  return {
    lines: rows.map((row) => ({
      line: toLine(row),
      position: {
        part,
        after: present(statement, 'after_position', row.after_position),
        number: present(statement, 'after_number', row.after_number),
      },
    })),
    more: rows.length < (rows[0]?.page_total ?? 0),
  };
}
