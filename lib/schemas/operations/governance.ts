import { auditPageSchema, listAuditQuerySchema } from '../audit.ts';
import { memoryParametersSchema } from '../memory.ts';
import { listHistoryQuerySchema, memoryFormPageSchema } from '../memory-history.ts';
import { defineContract, noBody, noFields } from '../operation-contract.ts';

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
