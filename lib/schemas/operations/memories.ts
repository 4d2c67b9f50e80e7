import {
  addMemoryRequestSchema,
  listMemoriesQuerySchema,
  memoryParametersSchema,
  threadMemoryParametersSchema,
  updateMemoryRequestSchema,
} from '../memory.ts';
import { type AccessScope, defineContract, noBody, noFields } from '../operation-contract.ts';
import {
  createdIdSchema,
  deletedSchema,
  type MemoryType,
  recordPageSchema,
  recordSchema,
  updatedIdSchema,
} from '../record.ts';
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

/** As `updateMemory`, for a memory whose stored thread is exactly this one. */
export const updateThreadMemoryContract = defineContract({
  id: 'updateThreadMemory',
  method: 'patch',
  path: '/threads/{threadId}/memories/{memoryId}',
  summary: 'Change a memory of exactly this thread',
  access: 'memories:write',
  readOnly: false,
  parameters: threadMemoryParametersSchema,
  query: noFields,
  body: updateMemoryRequestSchema,
  status: 200,
  response: updatedIdSchema,
  errors: ['not_found', 'model_failed'],
});

/** `deleted` is 1, or 0 when the memory does not exist or belongs to another thread or to none. */
export const deleteThreadMemoryContract = defineContract({
  id: 'deleteThreadMemory',
  method: 'delete',
  path: '/threads/{threadId}/memories/{memoryId}',
  summary: 'Delete a memory of exactly this thread',
  access: 'memories:write',
  readOnly: false,
  parameters: threadMemoryParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
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

/** Memories in the order in which they were added, page by page; expired ones are hidden. */
export const listMemoriesContract = defineContract({
  id: 'listMemories',
  method: 'get',
  path: '/memories',
  summary: 'List memories, oldest first',
  access: 'memories:read',
  readOnly: true,
  parameters: noFields,
  query: listMemoriesQuerySchema,
  body: noBody,
  status: 200,
  response: recordPageSchema,
  errors: [],
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

/**
 * Id, type and owners never change. For a stored guideline the caller needs `guidelines:write` too, which only the
 * stored memory shows: without it the answer is `forbidden`.
 */
export const updateMemoryContract = defineContract({
  id: 'updateMemory',
  method: 'patch',
  path: '/memories/{memoryId}',
  summary: 'Change a memory of any thread',
  access: 'memories:write',
  readOnly: false,
  parameters: memoryParametersSchema,
  query: noFields,
  body: updateMemoryRequestSchema,
  status: 200,
  response: updatedIdSchema,
  errors: ['not_found', 'model_failed'],
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
