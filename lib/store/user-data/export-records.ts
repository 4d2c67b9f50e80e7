import type { LineOfType } from '../../schemas/user-data.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { Row } from '../../sql/statement.ts';
import { statementFault } from '../../sql/statement-fault.ts';
import { decodeRecord, RECORD_SHAPE, recordColumns, recordSize } from '../records/record-row.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { exportQuery, userRecords } from './export-query.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';
import { toUserDataPage } from './user-data-page.ts';

const SHAPE = { ...RECORD_SHAPE, message_seq: 'number' } as const;

/** Messages, memories and the profile of a user. */
export async function exportRecords(
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
): Promise<UserDataPage> {
  const { record } = context.names;
  const ofUser = userRecords(context, 'x');
  const query = exportQuery(
    {
      name: 'users.export_records',
      from: `${record} x`,
      table: record,
      key: ['record_family', 'record_id'],
      position: ['x.order_seq', '0'],
      condition: `${notExpired('x')} AND ${ofUser.sql}`,
      size: recordSize('x'),
      columns: `${recordColumns('x')},
  x.message_seq AS message_seq`,
      shape: SHAPE,
      binds: ofUser.binds,
    },
    request,
  );
  const rows = await context.transport.query(query, options);
  return toUserDataPage(query.name, request, rows, (row) => recordLine(query.name, row));
}

function recordLine(statement: string, row: Row<typeof SHAPE>): LineOfType<'record'> {
  const { id, recordType, userId, agentId, threadId, role, ...record } = decodeRecord(statement, row);
  if (recordType === 'agent_profile') throw statementFault(statement, 'a profile of an agent is of no user');
  return {
    type: 'record',
    recordType,
    recordId: id,
    ...record,
    timestamp: row.event_at,
    ...(recordType === 'user_profile' ? {} : { userId, agentId, threadId }),
    ...(role === undefined ? {} : { role }),
    ...(row.message_seq === null ? {} : { sequence: row.message_seq }),
  };
}
