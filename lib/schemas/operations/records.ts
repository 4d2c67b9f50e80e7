import { type AccessScope, defineContract, noBody, noFields } from '../operation-contract.ts';
import {
  addedRecordsSchema,
  addRecordBatchesRequestSchema,
  pendingRecordBatchSchema,
} from '../pending-record-batch.ts';
import { deletedSchema, type RecordType, recordPageSchema, recordSchema } from '../record.ts';
import {
  deleteRecordQuerySchema,
  listRecordsRequestSchema,
  recordParametersSchema,
  searchRecordsRequestSchema,
  updatedRecordSchema,
  updateRecordRequestSchema,
} from '../record-request.ts';
import { searchResponseSchema } from '../search.ts';

/** Guidelines steer what agents do, so writing one takes a right of its own (HTTP API contract, Callers). */
function guidelineAccess(recordTypes: readonly RecordType[]): readonly AccessScope[] {
  return recordTypes.includes('guideline') ? ['guidelines:write'] : [];
}

/** Messages need their thread and count in it, but no extraction starts with them. */
export const addRecordsContract = defineContract({
  id: 'addRecords',
  method: 'post',
  path: '/records',
  summary: 'Add records of one type with their retrieval rows, all or nothing',
  access: 'records:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: pendingRecordBatchSchema,
  status: 201,
  response: addedRecordsSchema,
  errors: ['not_found', 'conflict', 'model_failed'],
  additionalAccess: ({ recordType }) => guidelineAccess([recordType]),
});

export const addRecordBatchesContract = defineContract({
  id: 'addRecordBatches',
  method: 'post',
  path: '/records/batches',
  summary: 'Add several batches of records in one write, all or nothing',
  access: 'records:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: addRecordBatchesRequestSchema,
  status: 201,
  response: addedRecordsSchema,
  errors: ['not_found', 'conflict', 'model_failed'],
  additionalAccess: ({ batches }) => guidelineAccess(batches.map(({ recordType }) => recordType)),
});

/** Records in the order in which they were added, page by page; expired ones are hidden. */
export const listRecordsContract = defineContract({
  id: 'listRecords',
  method: 'post',
  path: '/records/list',
  summary: 'List records of one type by owners and metadata, oldest first',
  access: 'records:read',
  readOnly: true,
  parameters: noFields,
  query: noFields,
  body: listRecordsRequestSchema,
  status: 200,
  response: recordPageSchema,
  errors: [],
});

export const searchRecordsContract = defineContract({
  id: 'searchRecords',
  method: 'post',
  path: '/records/search',
  summary: 'Search all records by text or by a vector; owners are preferences unless exact',
  access: 'records:read',
  readOnly: true,
  parameters: noFields,
  query: noFields,
  body: searchRecordsRequestSchema,
  status: 200,
  response: searchResponseSchema,
  errors: ['model_failed'],
});

export const getRecordContract = defineContract({
  id: 'getRecord',
  method: 'get',
  path: '/records/{recordType}/{recordId}',
  summary: 'Read a record of exactly this type',
  access: 'records:read',
  readOnly: true,
  parameters: recordParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: recordSchema,
  errors: ['not_found'],
});

/** Id, type, role and owners never change. A guideline needs `guidelines:write` too. */
export const updateRecordContract = defineContract({
  id: 'updateRecord',
  method: 'patch',
  path: '/records/{recordType}/{recordId}',
  summary: 'Change a record of exactly this type, or its retrieval rows alone',
  access: 'records:write',
  readOnly: false,
  parameters: recordParametersSchema,
  query: noFields,
  body: updateRecordRequestSchema,
  status: 200,
  response: updatedRecordSchema,
  errors: ['model_failed'],
});

/** `cascade` is for profiles alone and takes along what `deleteUser` and `deleteAgent` do. */
export const deleteRecordContract = defineContract({
  id: 'deleteRecord',
  method: 'delete',
  path: '/records/{recordType}/{recordId}',
  summary: 'Delete a record of exactly this type with its retrieval rows',
  access: 'records:write',
  readOnly: false,
  parameters: recordParametersSchema,
  query: deleteRecordQuerySchema,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
});
