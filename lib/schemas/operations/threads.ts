import { defineContract, noBody, noFields } from '../operation-contract.ts';
import { deletedSchema } from '../record.ts';
import {
  createThreadRequestSchema,
  listThreadsQuerySchema,
  threadPageSchema,
  threadParametersSchema,
  threadSchema,
  updateThreadRequestSchema,
} from '../thread.ts';

export const createThreadContract = defineContract({
  id: 'createThread',
  method: 'post',
  path: '/threads',
  summary: 'Create a thread',
  access: 'threads:write',
  readOnly: false,
  parameters: noFields,
  query: noFields,
  body: createThreadRequestSchema,
  status: 201,
  response: threadSchema,
  errors: ['conflict'],
});

export const getThreadContract = defineContract({
  id: 'getThread',
  method: 'get',
  path: '/threads/{threadId}',
  summary: 'Read a thread and its resolved settings',
  access: 'threads:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: threadSchema,
  errors: ['not_found'],
});

export const listThreadsContract = defineContract({
  id: 'listThreads',
  method: 'get',
  path: '/threads',
  summary: 'List threads, newest first',
  access: 'threads:read',
  readOnly: true,
  parameters: noFields,
  query: listThreadsQuerySchema,
  body: noBody,
  status: 200,
  response: threadPageSchema,
  errors: [],
});

export const updateThreadContract = defineContract({
  id: 'updateThread',
  method: 'patch',
  path: '/threads/{threadId}',
  summary: 'Change metadata and settings of a thread',
  access: 'threads:write',
  readOnly: false,
  parameters: threadParametersSchema,
  query: noFields,
  body: updateThreadRequestSchema,
  status: 200,
  response: threadSchema,
  errors: ['not_found'],
});

export const deleteThreadContract = defineContract({
  id: 'deleteThread',
  method: 'delete',
  path: '/threads/{threadId}',
  summary: 'Delete a thread with everything that carries its id',
  description:
    'Removes messages, memories, retrieval rows and jobs with the thread, in one transaction. Records may name a thread that has no row: they go too, and the answer is 0. 1 means that there was a thread.',
  access: 'threads:write',
  readOnly: false,
  parameters: threadParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
});
