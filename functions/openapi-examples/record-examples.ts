import {
  addRecordBatchesContract,
  addRecordsContract,
  deleteRecordContract,
  getRecordContract,
  listRecordsContract,
  searchRecordsContract,
  updateRecordContract,
} from '../../lib/schemas/operations/records.ts';
import type { PendingRecordBatch } from '../../lib/schemas/pending-record-batch.ts';
import { defineExample } from './define-example.ts';
import {
  AGENT_ID,
  FOUND_MEMORY,
  MEMORY_ID,
  MESSAGE_ID,
  SAID_AT,
  STORED_MEMORY,
  THREAD_ID,
  USER_ID,
} from './example-values.ts';

const parameters = { recordType: 'fact', recordId: MEMORY_ID } as const;
const madeId = '41d8e9b6-0a73-4c5f-9b28-d7e60f1c3a95';
const batch: PendingRecordBatch = {
  recordType: 'message',
  contents: ['I am allergic to peanuts.', null],
  indexTexts: ['peanut allergy', ['boats', 'rivers']],
  embeddings: [[0.25, -0.5], null],
  recordIds: [MESSAGE_ID, null],
  threadIds: THREAD_ID,
  userIds: [USER_ID, null],
  agentIds: AGENT_ID,
  roles: 'user',
  timestamps: SAID_AT,
  metadata: { topic: 'food' },
  ttlDays: 30,
  ttlAnchor: 'timestamp',
};

export const RECORD_EXAMPLES = [
  defineExample(addRecordsContract, { body: batch, response: { ids: [MESSAGE_ID, madeId] } }),
  defineExample(addRecordBatchesContract, {
    body: { batches: [batch] },
    response: { ids: [MESSAGE_ID, madeId] },
  }),
  defineExample(listRecordsContract, {
    body: {
      recordType: 'fact',
      threadId: THREAD_ID,
      userId: USER_ID,
      agentId: AGENT_ID,
      metadataFilter: { topic: 'food' },
      limit: 10,
    },
    response: { items: [STORED_MEMORY], nextCursor: null },
  }),
  defineExample(searchRecordsContract, {
    body: {
      query: 'peanut allergy',
      k: 5,
      threadId: THREAD_ID,
      userId: USER_ID,
      exactUserMatch: true,
      recordTypes: ['fact'],
      metadataFilter: { topic: 'food' },
    },
    response: { results: [FOUND_MEMORY] },
  }),
  defineExample(getRecordContract, { parameters, response: STORED_MEMORY }),
  defineExample(updateRecordContract, {
    parameters,
    body: {
      content: 'Ana is allergic to hazelnuts.',
      indexText: ['hazelnut allergy'],
      embedding: [[0.25, -0.5]],
      metadata: { topic: 'food' },
      timestamp: SAID_AT,
      ttlDays: 30,
      ttlAnchor: 'timestamp',
    },
    response: { updated: 1 },
  }),
  defineExample(deleteRecordContract, {
    parameters,
    query: { cascade: 'false' },
    response: { deleted: 1 },
  }),
];
