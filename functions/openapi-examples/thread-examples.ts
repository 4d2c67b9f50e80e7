import {
  createThreadContract,
  deleteThreadContract,
  getThreadContract,
  listThreadsContract,
  updateThreadContract,
} from '../../lib/schemas/operations/threads.ts';
import { defineExample } from './define-example.ts';
import { AGENT_ID, CHANGED_AT, STORED_THREAD, THREAD_ID, USER_ID } from './example-values.ts';

const parameters = { threadId: THREAD_ID };
const settings = {
  extraction: { extractMemories: true, memoryExtractionFrequency: 2, memoryExtractionWindow: 4 },
  contextCardTokenLimit: 2_000,
  maxMessageTokenLength: 8_000,
  messageShorteningInputTokenLimit: 16_000,
};

export const THREAD_EXAMPLES = [
  defineExample(createThreadContract, {
    body: {
      threadId: THREAD_ID,
      userId: USER_ID,
      agentId: AGENT_ID,
      metadata: { topic: 'food' },
      ...settings,
    },
    response: STORED_THREAD,
  }),
  defineExample(listThreadsContract, {
    query: { userId: USER_ID, agentId: AGENT_ID, limit: '5', cursor: 'dGhyZWFkczo3' },
    response: { items: [STORED_THREAD], nextCursor: null },
  }),
  defineExample(getThreadContract, { parameters, response: STORED_THREAD }),
  defineExample(updateThreadContract, {
    parameters,
    body: { metadata: { topic: 'allergies' }, ...settings },
    response: { ...STORED_THREAD, metadata: { topic: 'allergies' }, updatedAt: CHANGED_AT },
  }),
  defineExample(deleteThreadContract, { parameters, response: { deleted: 1 } }),
];
