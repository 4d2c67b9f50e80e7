import {
  exportUserContract,
  importRecordsContract,
  listAuditContract,
} from '../../lib/schemas/operations/governance.ts';
import type { UserDataLine } from '../../lib/schemas/user-data.ts';
import { defineExample } from './define-example.ts';
import {
  CALLER_ID,
  CHANGED_AT,
  MEMORY_ID,
  REQUEST_ID,
  SAID_AT,
  STORED_MEMORY,
  THREAD_ID,
  USER_ID,
} from './example-values.ts';

const { id: recordId, recordType: _type, role: _role, ...stored } = STORED_MEMORY;
const lines: readonly UserDataLine[] = [
  { type: 'export', version: 1, userId: USER_ID, embedderModel: 'text-embedding-3-small', dimensions: 2 },
  { type: 'record', recordType: 'fact', recordId, ...stored },
  {
    type: 'retrieval_text',
    recordType: 'fact',
    recordId,
    number: 1,
    text: 'Ana is allergic to peanuts.',
    embedding: [0.25, -0.5],
  },
];

export const GOVERNANCE_EXAMPLES = [
  defineExample(exportUserContract, {
    parameters: { userId: USER_ID },
    query: { vectors: 'true', cursor: 'ZXhwb3J0OnJlY29yZHM6Nzow' },
    response: { lines: [...lines, { nextCursor: null }] },
  }),
  defineExample(importRecordsContract, { body: { lines: [...lines] }, response: { imported: 1 } }),
  defineExample(listAuditContract, {
    query: { userId: USER_ID, since: SAID_AT, limit: '5', cursor: 'YXVkaXQ6Nw' },
    response: {
      items: [
        {
          occurredAt: CHANGED_AT,
          operation: 'updateMemory',
          callerId: CALLER_ID,
          requestId: REQUEST_ID,
          subject: 'memory',
          ids: [MEMORY_ID],
          total: 1,
          userId: USER_ID,
          agentId: STORED_MEMORY.agentId,
          threadId: THREAD_ID,
        },
      ],
      nextCursor: null,
    },
  }),
];
