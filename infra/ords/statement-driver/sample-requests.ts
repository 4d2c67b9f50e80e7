import { SDK_EXTRACTION_CONFIG } from '../../../lib/memory/extraction-config.ts';
import type { ExtractionOutcome } from '../../../lib/store/extraction/extraction-outcome.ts';
import type { MessageAppend, NewMessageRow } from '../../../lib/store/messages/stored-message.ts';
import type { NewMessageRecord, NewRecord } from '../../../lib/store/records/stored-record.ts';
import type { NewThread, ThreadConfig } from '../../../lib/store/threads/stored-thread.ts';

/** A thread configuration; `extraction` overrides the defaults of the contract. */
export function threadConfig(extraction: Partial<ThreadConfig['extraction']> = {}): ThreadConfig {
  return {
    extraction: { ...SDK_EXTRACTION_CONFIG, ...extraction },
    contextCardTokenLimit: 100_000,
    maxMessageTokenLength: 8_000,
    messageShorteningInputTokenLimit: 30_000,
  };
}

export function newThread(threadId: string, overrides: Partial<NewThread> = {}): NewThread {
  return { threadId, userId: 'user', agentId: 'agent', metadata: {}, config: threadConfig(), ...overrides };
}

export function newMessage(id: string, overrides: Partial<NewMessageRow> = {}): NewMessageRow {
  return {
    id,
    role: 'user',
    content: `content of ${id}`,
    timestamp: null,
    metadata: {},
    chunks: [],
    ttlDays: undefined,
    ttlAnchor: 'created_at',
    ...overrides,
  };
}

export function messageAppend(
  threadId: string,
  messages: readonly NewMessageRow[],
  overrides: Partial<MessageAppend> = {},
): MessageAppend {
  return {
    threadId,
    messages,
    jobId: `job-${messages[0]?.id ?? 'none'}`,
    leaseToken: 'lease',
    leaseSeconds: 45,
    maxAttempts: 5,
    queueCapacity: 1_000,
    canExtract: true,
    ...overrides,
  };
}

/** A memory without scope. */
export function newRecord(id: string, overrides: Partial<NewRecord> = {}): NewRecord {
  return {
    family: 'memory',
    recordType: 'memory',
    id,
    content: `content of ${id}`,
    metadata: {},
    timestamp: null,
    userId: undefined,
    agentId: undefined,
    threadId: undefined,
    chunks: [],
    ttlDays: undefined,
    ttlAnchor: 'created_at',
    ...overrides,
  };
}

/** A message that is added as a record, with the owners of its thread. */
export function newMessageRecord(
  id: string,
  threadId: string,
  overrides: Partial<NewMessageRecord> = {},
): NewMessageRecord {
  return {
    family: 'message',
    id,
    role: 'user',
    content: `content of ${id}`,
    metadata: {},
    timestamp: null,
    userId: undefined,
    agentId: undefined,
    threadId,
    chunks: [],
    ttlDays: undefined,
    ttlAnchor: 'created_at',
    ...overrides,
  };
}

/** What ends an attempt, without job and lease. */
export const JOB_RELEASE = {
  reason: { code: 'rate_limited', detail: 'Slow down.' },
  retrySeconds: [2, 8, 30, 120],
  countsAttempt: true,
  llmCalls: 1,
  promptTokens: 10,
  completionTokens: null,
} as const;

export function extractionOutcome(
  jobId: string,
  leaseToken: string,
  overrides: Partial<ExtractionOutcome> = {},
): ExtractionOutcome {
  return {
    jobId,
    leaseToken,
    status: 'succeeded',
    reason: null,
    memories: [],
    comparedWith: { memoryCount: 0, positionSum: 0 },
    supersededIds: [],
    summary: null,
    llmCalls: 1,
    promptTokens: 10,
    completionTokens: 5,
    ...overrides,
  };
}
