import { SDK_EXTRACTION_CONFIG } from '../../lib/memory/extraction-config.ts';
import type { ResolvedExtractionConfig } from '../../lib/schemas/extraction.ts';
import type { Job } from '../../lib/schemas/job.ts';
import type { Message } from '../../lib/schemas/message.ts';
import type { MemoryRecord } from '../../lib/schemas/record.ts';
import type { SearchResult } from '../../lib/schemas/search.ts';
import type { ThreadObject } from '../../lib/schemas/thread.ts';
import { formatRecordLines } from '../../lib/schemas/values/record-format.ts';

/** The one conversation that all examples are about. Ids that callers choose are names, those that are made UUIDs. */
export const USER_ID = 'ana';
export const AGENT_ID = 'guide';
export const THREAD_ID = '6f1c2a9e-3b7d-4e58-9a40-c5d81f02b7e3';
export const MESSAGE_ID = '2d94b0c7-81e5-4f6a-b3d2-07a9e6c41f58';
export const MEMORY_ID = 'b80e57d1-4c2f-4a93-8e6b-19f3d7a2c064';
export const JOB_ID = 'e3a7604b-95d8-4b1c-a2f7-6c08d5e91b32';
export const REQUEST_ID = '9c5d2e18-f06a-47b3-8d91-3ea4b7c6025f';
export const IDEMPOTENCY_KEY = '58b1f3e7-6d20-4c9a-b7e4-02c8d95af613';
/** The name of an API key. */
export const CALLER_ID = 'kitchen-app';

/** When the message was said, stored and extracted from. */
export const SAID_AT = '2026-01-31T09:30:00.000Z';
export const STORED_AT = '2026-01-31T09:30:01.250Z';
export const EXTRACTED_AT = '2026-01-31T09:30:04.800Z';
export const CHANGED_AT = '2026-02-02T18:05:12.000Z';
export const EXPIRES_AT = '2026-03-02T09:30:04.800Z';

const extraction: ResolvedExtractionConfig = {
  ...SDK_EXTRACTION_CONFIG,
  memoryExtractionFrequency: 2,
  memoryExtractionWindow: 4,
};

export const STORED_THREAD: ThreadObject = {
  threadId: THREAD_ID,
  userId: USER_ID,
  agentId: AGENT_ID,
  metadata: { topic: 'food' },
  extraction,
  contextCardTokenLimit: 2_000,
  maxMessageTokenLength: 8_000,
  messageShorteningInputTokenLimit: 16_000,
  createdAt: SAID_AT,
  updatedAt: SAID_AT,
};

export const STORED_MESSAGE: Message = {
  id: MESSAGE_ID,
  role: 'user',
  content: 'I am allergic to peanuts.',
  timestamp: SAID_AT,
  metadata: { turn: 1 },
};

export const STORED_MEMORY: MemoryRecord = {
  id: MEMORY_ID,
  recordType: 'fact',
  content: 'Ana is allergic to peanuts.',
  metadata: { topic: 'food' },
  timestamp: SAID_AT,
  createdAt: EXTRACTED_AT,
  updatedAt: EXTRACTED_AT,
  expiresAt: EXPIRES_AT,
  userId: USER_ID,
  agentId: AGENT_ID,
  threadId: THREAD_ID,
  status: 'active',
};

export const FOUND_MEMORY: SearchResult = {
  id: MEMORY_ID,
  recordType: 'fact',
  content: 'Ana is allergic to peanuts.',
  formattedContent: formatRecordLines(
    { recordType: 'fact', timestamp: SAID_AT, content: 'Ana is allergic to peanuts.' },
    '',
  ).join('\n'),
  distance: 0.21,
  timestamp: SAID_AT,
  metadata: { topic: 'food' },
  record: STORED_MEMORY,
};

export const SUCCEEDED_JOB: Job = {
  jobId: JOB_ID,
  threadId: THREAD_ID,
  status: 'succeeded',
  attempt: 1,
  maxAttempts: 5,
  nextAttemptAt: null,
  reason: null,
  messageIds: [MESSAGE_ID],
  memoryIds: [MEMORY_ID],
  llmCalls: 2,
  promptTokens: 840,
  completionTokens: 96,
  createdAt: STORED_AT,
  startedAt: STORED_AT,
  finishedAt: EXTRACTED_AT,
};
