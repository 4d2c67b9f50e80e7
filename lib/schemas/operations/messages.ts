import * as z from 'zod';
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

/** A whole number as a query parameter writes it; JavaScript's looser forms (`1e3`, `0x10`, ` 5`) are refused. */
function integerParameter(minimum: number) {
  return z
    .string()
    .regex(/^(?:0|-?[1-9]\d{0,14})$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.int().min(minimum));
}

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
