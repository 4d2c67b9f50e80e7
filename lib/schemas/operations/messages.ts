import * as z from 'zod';
import { integerParameter } from '../integer-parameter.ts';
import {
  addMessagesRequestSchema,
  addMessagesResponseSchema,
  messageParametersSchema,
  messagesResponseSchema,
  updateMessageRequestSchema,
  updateMessageResponseSchema,
} from '../message.ts';
import { defineContract, noBody, noFields } from '../operation-contract.ts';
import { deletedSchema } from '../record.ts';
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
  description:
    'Indexes count the messages that are visible now. nextStart is where to go on when the answer became too large, null when it is complete. When a message before nextStart is deleted or expires meanwhile, later ones have lower indexes: to leave none out, go on one before nextStart and compare ids, as the typed client does.',
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

export const updateMessageContract = defineContract({
  id: 'updateMessage',
  method: 'patch',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Change content, metadata or time to live of a message',
  access: 'threads:write',
  readOnly: false,
  parameters: messageParametersSchema,
  query: noFields,
  body: updateMessageRequestSchema,
  status: 200,
  response: updateMessageResponseSchema,
  errors: ['not_found', 'model_failed'],
});

export const deleteMessageContract = defineContract({
  id: 'deleteMessage',
  method: 'delete',
  path: '/threads/{threadId}/messages/{messageId}',
  summary: 'Delete a message; memories made of it stay',
  access: 'threads:write',
  readOnly: false,
  parameters: messageParametersSchema,
  query: noFields,
  body: noBody,
  status: 200,
  response: deletedSchema,
  errors: [],
});
