import * as z from 'zod';
import { integerParameter } from '../integer-parameter.ts';
import { addMessagesRequestSchema, addMessagesResponseSchema, messagesResponseSchema } from '../message.ts';
import { defineContract, noBody, noFields } from '../operation-contract.ts';
import { threadParametersSchema } from '../thread.ts';

export const addMessagesContract = defineContract({
  id: 'addMessages',
  method: 'post',
  path: '/threads/{threadId}/messages',
  summary: 'Append messages to a thread',
  access: 'threads:write',
  readOnly: false,
  parameters: threadParametersSchema,
  query: noFields,
  body: addMessagesRequestSchema,
  status: 201,
  response: addMessagesResponseSchema,
  errors: ['not_found', 'conflict', 'model_failed', 'extraction_queue_full'],
});

export const getMessagesContract = defineContract({
  id: 'getMessages',
  method: 'get',
  path: '/threads/{threadId}/messages',
  summary: 'Read a window of messages in order; without start and end the latest',
  access: 'threads:read',
  readOnly: true,
  parameters: threadParametersSchema,
  query: z.strictObject({
    start: integerParameter(0).optional(),
    end: integerParameter(-1).optional(),
  }),
  body: noBody,
  status: 200,
  response: messagesResponseSchema,
  errors: ['not_found'],
});
