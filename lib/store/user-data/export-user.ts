import type { UserDataPart } from '../../schemas/user-data.ts';
import type { CallOptions } from '../../sql/sql-transport.ts';
import type { StoreContext } from '../store-context.ts';
import { exportForms } from './export-forms.ts';
import { exportRecords } from './export-records.ts';
import { exportRetrievalTexts } from './export-retrieval-texts.ts';
import { exportThreads } from './export-threads.ts';
import type { UserDataPage, UserDataRequest } from './user-data.ts';

type ReadPart = (
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
) => Promise<UserDataPage>;

const READERS: Readonly<Record<UserDataPart, ReadPart>> = {
  threads: exportThreads,
  records: exportRecords,
  retrieval_texts: exportRetrievalTexts,
  earlier_forms: exportForms,
};

/** A page of one part of what is stored about a user, in the order in which it was written. What has expired is not in it. */
export function exportUser(
  context: StoreContext,
  request: UserDataRequest,
  options?: CallOptions,
): Promise<UserDataPage> {
  return READERS[request.part](context, request, options);
}
