import { auditPageSchema, listAuditQuerySchema } from '../audit.ts';
import { memoryParametersSchema } from '../memory.ts';
import { listHistoryQuerySchema, memoryFormPageSchema } from '../memory-history.ts';
import { type AccessScope, defineContract, noBody, noFields } from '../operation-contract.ts';
import { userParametersSchema } from '../profile.ts';
import {
  exportedLinesSchema,
  exportUserQuerySchema,
  IMPORT_BODY_BYTES,
  type ImportLines,
  importedSchema,
  importLinesSchema,
} from '../user-data.ts';

/** Forms that the memory had before it was changed or superseded. They go with it, so a deleted memory has none. */
export const getMemoryHistoryContract = defineContract({
  id: 'getMemoryHistory',
  method: 'get',
  path: '/memories/{memoryId}/history',
  summary: 'List earlier forms of a memory, newest first, with who replaced them',
  access: 'memories:read',
  readOnly: true,
  parameters: memoryParametersSchema,
  query: listHistoryQuerySchema,
  body: noBody,
  status: 200,
  response: memoryFormPageSchema,
  errors: ['not_found'],
});

/** It holds ids and no content. The deletion of a user with all that is theirs removes every earlier entry about them. */
export const listAuditContract = defineContract({
  id: 'listAudit',
  method: 'get',
  path: '/audit',
  summary: 'List who wrote and deleted what, newest first',
  access: 'audit:read',
  readOnly: true,
  parameters: noFields,
  query: listAuditQuerySchema,
  body: noBody,
  status: 200,
  response: auditPageSchema,
  errors: [],
});

/**
 * Lines of JSON: what is stored about the user and has not expired. Each answer has at most 5 MiB; its last line
 * `{"nextCursor": …}` is where the next one begins, null at the end; an answer without it broke off. With `vectors=true` the
 * vectors come too.
 */
export const exportUserContract = defineContract({
  id: 'exportUser',
  method: 'get',
  path: '/users/{userId}/export',
  summary: 'Export everything stored about a user, as lines of JSON',
  access: 'users:read',
  readOnly: true,
  parameters: userParametersSchema,
  query: exportUserQuerySchema,
  body: noBody,
  status: 200,
  response: exportedLinesSchema,
  responseFormat: 'ndjson',
  errors: [],
});

/** Guidelines steer what agents do, so writing one takes a right of its own (HTTP API contract, Callers). */
function guidelineAccess({ lines }: ImportLines): readonly AccessScope[] {
  const hasGuideline = lines.some(
    (line) => 'type' in line && line.type === 'record' && line.recordType === 'guideline',
  );
  return hasGuideline ? ['guidelines:write'] : [];
}

/**
 * Lines of an export, or a part of them, all or nothing: ids, times and places stay as they were, and no extraction starts.
 * What exists already is a `conflict`. A body has at most 5 MiB.
 */
export const importRecordsContract = defineContract({
  id: 'importRecords',
  method: 'post',
  path: '/import',
  summary: 'Import lines of an export, all or nothing',
  access: 'users:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: importLinesSchema,
  bodyFormat: 'ndjson',
  bodyLimitBytes: IMPORT_BODY_BYTES,
  status: 200,
  response: importedSchema,
  errors: ['not_found', 'conflict', 'model_failed'],
  additionalAccess: guidelineAccess,
});
