/** A request that every operation accepts, by operationId. Ids name things that need not exist. */
export interface ValidRequest {
  readonly parameters: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
}

const thread = { threadId: 'thread-1' };
const message = { threadId: 'thread-1', messageId: 'message-1' };
const scope = { userId: 'ana', agentId: null, exactUserMatch: true };
const memory = {
  content: 'Ana is allergic to peanuts.',
  memoryType: 'fact',
  userId: 'ana',
  agentId: null,
  threadId: null,
  memoryId: 'memory-1',
  metadata: { topic: 'food' },
  timestamp: '2026-01-31T09:30:00Z',
  ttlDays: 30,
  ttlAnchor: 'created_at',
};

const memoryChange = {
  content: 'Ana is allergic to hazelnuts.',
  metadata: { topic: 'food' },
  timestamp: '2026-01-31T09:30:00Z',
  ttlDays: 30,
  ttlAnchor: 'created_at',
};
const profileChange = { information: 'Cooks for six.', metadata: { tier: 2 } };

const record = { recordType: 'fact', recordId: 'record-1' };
const batch = {
  recordType: 'message',
  contents: ['I row.', null],
  indexTexts: ['rowing', ['boats', 'rivers']],
  embeddings: [[1, 0.5], null],
  recordIds: ['record-1', null],
  threadIds: 'no-such-thread',
  userIds: ['ana', null],
  agentIds: 'guide',
  roles: 'user',
  timestamps: '2026-01-31T09:30:00Z',
  metadata: { topic: 'sport' },
  ttlDays: 30,
  ttlAnchor: 'timestamp',
};

const importedRecord = {
  type: 'record',
  recordType: 'fact',
  recordId: 'record-1',
  content: 'Ana rows.',
  metadata: { topic: 'sport' },
  status: 'active',
  timestamp: '2026-01-31T09:30:00Z',
  expiresAt: null,
  userId: 'ana',
  agentId: null,
  threadId: null,
  createdAt: '2026-01-31T09:30:00Z',
  updatedAt: '2026-01-31T09:30:00Z',
};

export const VALID_REQUESTS: Readonly<Record<string, ValidRequest>> = {
  createThread: {
    parameters: {},
    body: {
      threadId: 'thread-1',
      userId: 'ana',
      agentId: 'guide',
      metadata: { topic: 'food' },
      extraction: { extractMemories: false, memoryExtractionFrequency: 2, extractionMode: 'inline' },
      contextCardTokenLimit: 2_000,
      maxMessageTokenLength: 8_000,
      messageShorteningInputTokenLimit: 16_000,
    },
  },
  listThreads: { parameters: {}, query: 'userId=ana&agentId=guide&limit=5&cursor=dGhyZWFkczo3' },
  getThread: { parameters: thread },
  updateThread: {
    parameters: thread,
    body: {
      metadata: { topic: 'food' },
      extraction: { extractMemories: false, memoryExtractionWindow: 4 },
      contextCardTokenLimit: 2_000,
      maxMessageTokenLength: 8_000,
      messageShorteningInputTokenLimit: 16_000,
    },
  },
  deleteThread: { parameters: thread },
  addMessages: {
    parameters: thread,
    body: {
      messages: [
        {
          id: 'message-1',
          role: 'user',
          content: 'I am allergic to peanuts.',
          timestamp: '2026-01-31T09:30:00Z',
          metadata: { turn: 1 },
        },
      ],
      metadata: { source: 'chat' },
      ttlDays: 30,
      ttlAnchor: 'created_at',
    },
  },
  getMessages: { parameters: thread, query: 'start=0&end=-1' },
  updateMessage: {
    parameters: message,
    body: { content: 'I am allergic to nuts.', metadata: { turn: 1 }, ttlDays: 30, ttlAnchor: 'created_at' },
  },
  deleteMessage: { parameters: message },
  addThreadMemory: { parameters: thread, body: memory },
  updateThreadMemory: { parameters: { ...thread, memoryId: 'memory-1' }, body: memoryChange },
  deleteThreadMemory: { parameters: { ...thread, memoryId: 'memory-1' } },
  searchThread: {
    parameters: thread,
    body: {
      query: 'peanuts',
      maxResults: 5,
      recordTypes: ['fact'],
      metadataFilter: { topic: 'food' },
      scope,
    },
  },
  getContextCard: {
    parameters: thread,
    body: {
      fallbackMessageCount: 5,
      maxRelevantResults: 5,
      maxRecentMessages: 5,
      minRelevantResultsByType: { memory: 1, fact: 1, guideline: 1, preference: 1 },
    },
  },
  getSummary: { parameters: thread, body: { exceptLast: 0, tokenBudget: 500 } },
  getExtraction: { parameters: thread },
  waitForExtraction: { parameters: thread, body: { timeoutSeconds: 0 } },
  addMemory: { parameters: {}, body: memory },
  listMemories: {
    parameters: {},
    query: 'userId=ana&agentId=guide&threadId=thread-1&memoryType=fact&status=active&limit=10',
  },
  getMemory: { parameters: { memoryId: 'memory-1' } },
  updateMemory: { parameters: { memoryId: 'memory-1' }, body: memoryChange },
  deleteMemory: { parameters: { memoryId: 'memory-1' } },
  search: { parameters: {}, body: { query: 'peanuts', userId: 'ana', agentId: null, exactUserMatch: true } },
  addUser: { parameters: {}, body: { userId: 'ana', information: 'Ana cooks.', metadata: { tier: 1 } } },
  listUsers: { parameters: {}, query: 'limit=10' },
  updateUser: { parameters: { userId: 'ana' }, body: profileChange },
  deleteUser: { parameters: { userId: 'ana' }, query: 'cascade=true&dryRun=true' },
  getUser: { parameters: { userId: 'ana' } },
  addAgent: {
    parameters: {},
    body: { agentId: 'guide', information: 'Plans meals.', metadata: { tier: 1 } },
  },
  listAgents: { parameters: {}, query: 'limit=10' },
  updateAgent: { parameters: { agentId: 'guide' }, body: profileChange },
  deleteAgent: { parameters: { agentId: 'guide' }, query: 'cascade=true&dryRun=true' },
  getAgent: { parameters: { agentId: 'guide' } },
  addRecords: { parameters: {}, body: batch },
  addRecordBatches: { parameters: {}, body: { batches: [batch] } },
  listRecords: {
    parameters: {},
    body: {
      recordType: 'fact',
      threadId: 'thread-1',
      userId: null,
      agentId: 'guide',
      metadataFilter: { topic: 'food' },
      limit: 10,
    },
  },
  searchRecords: {
    parameters: {},
    body: {
      query: 'peanuts',
      k: 5,
      threadId: 'thread-1',
      userId: null,
      exactUserMatch: true,
      recordTypes: ['fact'],
      metadataFilter: { topic: 'food' },
    },
  },
  getRecord: { parameters: record },
  updateRecord: {
    parameters: record,
    body: {
      content: null,
      indexText: null,
      embedding: null,
      metadata: { topic: 'sport' },
      timestamp: '2026-01-31T09:30:00Z',
      ttlDays: 30,
      ttlAnchor: 'timestamp',
    },
  },
  deleteRecord: { parameters: record, query: 'cascade=false' },
  getMemoryHistory: { parameters: { memoryId: 'memory-1' }, query: 'limit=5&cursor=aGlzdG9yeTo3' },
  exportUser: {
    parameters: { userId: 'ana' },
    query: 'vectors=true&cursor=ZXhwb3J0OnJlY29yZHM6Nzow',
  },
  importRecords: { parameters: {}, body: { lines: [importedRecord] } },
  listAudit: {
    parameters: {},
    query: 'userId=ana&since=2026-01-31T09:30:00Z&limit=5&cursor=YXVkaXQ6Nw',
  },
  listJobs: { parameters: {}, query: 'threadId=thread-1&status=failed&limit=5&cursor=am9iczo3' },
  getJob: { parameters: { jobId: 'job-1' } },
  retryJob: { parameters: { jobId: 'job-1' } },
  cancelJob: { parameters: { jobId: 'job-1' } },
};
