import { getMemoryHistoryContract } from '../../lib/schemas/operations/governance.ts';
import {
  addMemoryContract,
  addThreadMemoryContract,
  deleteMemoryContract,
  deleteThreadMemoryContract,
  getMemoryContract,
  listMemoriesContract,
  updateMemoryContract,
  updateThreadMemoryContract,
} from '../../lib/schemas/operations/memories.ts';
import { defineExample } from './define-example.ts';
import {
  AGENT_ID,
  CALLER_ID,
  CHANGED_AT,
  EXPIRES_AT,
  EXTRACTED_AT,
  MEMORY_ID,
  REQUEST_ID,
  SAID_AT,
  STORED_MEMORY,
  THREAD_ID,
  USER_ID,
} from './example-values.ts';

const parameters = { memoryId: MEMORY_ID };
const threadParameters = { threadId: THREAD_ID, memoryId: MEMORY_ID };
const change = {
  content: 'Ana is allergic to hazelnuts.',
  metadata: { topic: 'food' },
  timestamp: SAID_AT,
  ttlDays: 30,
  ttlAnchor: 'created_at' as const,
};
const memory = {
  ...change,
  content: 'Ana is allergic to peanuts.',
  memoryType: 'fact' as const,
  memoryId: MEMORY_ID,
  userId: USER_ID,
};

export const MEMORY_EXAMPLES = [
  defineExample(addThreadMemoryContract, {
    parameters: { threadId: THREAD_ID },
    body: { ...memory, agentId: AGENT_ID, threadId: THREAD_ID },
    response: { id: MEMORY_ID },
  }),
  defineExample(updateThreadMemoryContract, {
    parameters: threadParameters,
    body: change,
    response: { id: MEMORY_ID },
  }),
  defineExample(deleteThreadMemoryContract, { parameters: threadParameters, response: { deleted: 1 } }),
  defineExample(addMemoryContract, {
    body: { ...memory, agentId: null, threadId: null },
    response: { id: MEMORY_ID },
  }),
  defineExample(listMemoriesContract, {
    query: {
      userId: USER_ID,
      agentId: AGENT_ID,
      threadId: THREAD_ID,
      memoryType: 'fact',
      status: 'active',
      limit: '10',
    },
    response: { items: [STORED_MEMORY], nextCursor: null },
  }),
  defineExample(getMemoryContract, { parameters, response: STORED_MEMORY }),
  defineExample(updateMemoryContract, { parameters, body: change, response: { id: MEMORY_ID } }),
  defineExample(deleteMemoryContract, { parameters, response: { deleted: 1 } }),
  defineExample(getMemoryHistoryContract, {
    parameters,
    query: { limit: '5', cursor: 'aGlzdG9yeTo3' },
    response: {
      items: [
        {
          memoryType: 'fact',
          content: 'Ana is allergic to peanuts.',
          metadata: { topic: 'food' },
          timestamp: SAID_AT,
          expiresAt: EXPIRES_AT,
          status: 'active',
          updatedAt: EXTRACTED_AT,
          replacedAt: CHANGED_AT,
          operation: 'updateMemory',
          callerId: CALLER_ID,
          requestId: REQUEST_ID,
        },
      ],
      nextCursor: null,
    },
  }),
];
