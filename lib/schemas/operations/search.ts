import { defineContract, noFields } from '../operation-contract.ts';
import { searchRequestSchema, searchResponseSchema } from '../search.ts';
import { threadParametersSchema } from '../thread.ts';

export const searchContract = defineContract({
  id: 'search',
  method: 'post',
  path: '/search',
  summary: 'Search records of a user, or unscoped ones with a null userId',
  access: 'memories:read',
  readOnly: true,
  parameters: noFields,
  query: noFields,
  body: searchRequestSchema,
  status: 200,
  response: searchResponseSchema,
  errors: ['model_failed'],
});

export const searchThreadContract = defineContract({
  id: 'searchThread',
  method: 'post',
  path: '/threads/{threadId}/search',
  summary: 'Search with the scope of a thread',
  access: 'memories:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: searchRequestSchema,
  status: 200,
  response: searchResponseSchema,
  errors: ['not_found', 'model_failed'],
});
