import { addMemoryRequestSchema, memoryParametersSchema } from '../memory.ts';
import { type AccessScope, defineContract, noBody, noFields } from '../operation-contract.ts';
import { createdIdSchema, deletedSchema, type MemoryType, recordSchema } from '../record.ts';
import { threadParametersSchema } from '../thread.ts';

/** Guidelines steer what agents do, so writing one takes a right of its own (HTTP API contract, Callers). */
function guidelineAccess(body: { readonly memoryType?: MemoryType | undefined }): readonly AccessScope[] {
  return body.memoryType === 'guideline' ? ['guidelines:write'] : [];
}

export const addThreadMemoryContract = defineContract({
  id: 'addThreadMemory',
  method: 'post',
  path: '/threads/{threadId}/memories',
  summary: 'Add a memory that belongs to a thread and its owners',
  access: 'memories:write',
  readOnly: false,
  parameters: threadParametersSchema,
  query: noFields,
  body: addMemoryRequestSchema,
  status: 201,
  response: createdIdSchema,
  errors: ['not_found', 'conflict', 'model_failed'],
  additionalAccess: guidelineAccess,
});

export const addMemoryContract = defineContract({
  id: 'addMemory',
  method: 'post',
  path: '/memories',
  summary: 'Add a memory; omitted ids leave it unscoped',
  access: 'memories:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: addMemoryRequestSchema,
  status: 201,
  response: createdIdSchema,
  errors: ['conflict', 'model_failed'],
  additionalAccess: guidelineAccess,
});

export const getMemoryContract = defineContract({
  id: 'getMemory',
  method: 'get',
  path: '/memories/{memoryId}',
  summary: 'Read a memory of any thread',
  access: 'memories:read',
  readOnly: true,
  parameters: memoryParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: recordSchema,
  errors: ['not_found'],
});

export const deleteMemoryContract = defineContract({
  id: 'deleteMemory',
  method: 'delete',
  path: '/memories/{memoryId}',
  summary: 'Delete a memory of any thread',
  access: 'memories:write',
  readOnly: false,
  parameters: memoryParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
});
