import {
  addMessagesContract,
  deleteMessageContract,
  getMessagesContract,
  updateMessageContract,
} from '../../lib/schemas/operations/messages.ts';
import { defineExample } from './define-example.ts';
import { JOB_ID, MEMORY_ID, MESSAGE_ID, STORED_MESSAGE, THREAD_ID } from './example-values.ts';

const parameters = { threadId: THREAD_ID, messageId: MESSAGE_ID };

export const MESSAGE_EXAMPLES = [
  defineExample(addMessagesContract, {
    parameters: { threadId: THREAD_ID },
    body: { messages: [STORED_MESSAGE], metadata: { source: 'chat' }, ttlDays: 30, ttlAnchor: 'created_at' },
    response: {
      ids: [MESSAGE_ID],
      extraction: { status: 'completed', jobId: JOB_ID, memoryIds: [MEMORY_ID] },
    },
  }),
  defineExample(getMessagesContract, {
    parameters: { threadId: THREAD_ID },
    query: { start: '0', end: '-1' },
    response: { messages: [STORED_MESSAGE], nextStart: null },
  }),
  defineExample(updateMessageContract, {
    parameters,
    body: {
      content: 'I am allergic to hazelnuts.',
      metadata: { turn: 1 },
      ttlDays: 30,
      ttlAnchor: 'created_at',
    },
    response: { id: MESSAGE_ID, extraction: { status: 'none', jobId: null } },
  }),
  defineExample(deleteMessageContract, { parameters, response: { deleted: 1 } }),
];
