import {
  contextCardRequestSchema,
  contextCardSchema,
  summaryRequestSchema,
  summarySchema,
} from '../context-card.ts';
import { defineContract, noFields } from '../operation-contract.ts';
import { threadParametersSchema } from '../thread.ts';

export const getContextCardContract = defineContract({
  id: 'getContextCard',
  method: 'post',
  path: '/threads/{threadId}/context-card',
  summary: 'Assemble the context card of a thread',
  access: 'memories:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: contextCardRequestSchema,
  status: 200,
  response: contextCardSchema,
  errors: ['not_found', 'model_failed'],
});

export const getSummaryContract = defineContract({
  id: 'getSummary',
  method: 'post',
  path: '/threads/{threadId}/summary',
  summary: 'Summarise the messages of a thread',
  access: 'memories:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: noFields,
  body: summaryRequestSchema,
  status: 200,
  response: summarySchema,
  errors: ['not_found', 'model_failed'],
});
