import type { CallOptions } from '../../sql/sql-transport.ts';
import { decodeForm, FORM_SHAPE, formColumns } from '../history/memory-form-row.ts';
import { recordSize } from '../records/record-row.ts';
import { present } from '../row-value.ts';
import type { StoreContext } from '../store-context.ts';
import { notExpired } from '../timestamp-sql.ts';
import { exportQuery, userRecords } from './export-query.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';
import { toUserDataPage } from './user-data-page.ts';

/** Earlier forms of the memories of a user. */
export async function exportForms(
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
): Promise<UserDataPage> {
  const { record, history } = context.names;
  const ofUser = userRecords(context, 'r');
  const query = exportQuery(
    {
      name: 'users.export_earlier_forms',
      from: `${record} r
    JOIN ${history} x ON x.record_family = r.record_family AND x.record_id = r.record_id`,
      table: history,
      key: ['order_seq'],
      position: ['x.order_seq', '0'],
      condition: `${notExpired('r')} AND ${ofUser.sql}`,
      size: recordSize('x'),
      columns: `x.record_id AS form_record_id, ${formColumns('x')}`,
      shape: { form_record_id: 'text', ...FORM_SHAPE } as const,
      binds: ofUser.binds,
    },
    request,
  );
  const rows = await context.transport.query(query, options);
  return toUserDataPage(query.name, request, rows, (row) => {
    const { memoryType: _, ...form } = decodeForm(query.name, row);
    const memoryId = present(query.name, 'record_id', row.form_record_id);
    return { type: 'earlier_form', memoryId, ...form };
  });
}
