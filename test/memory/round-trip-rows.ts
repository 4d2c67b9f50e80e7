import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { takeItems } from '../../lib/schemas/page.ts';

/** One use of the API, over a store with a user `u`, an agent `a`, a memory `m` and a thread without extraction. */
export type Work = (memory: AgentMemoryApi, thread: ThreadApi) => Promise<unknown>;

export const off = { extraction: { extractMemories: false } };
export const message = { role: 'user', content: 'I live in Lisbon.' };

/** With a queue; without one a retry runs in the request. */
export const JOB_ROUND_TRIPS = { getJob: 1, cancelJob: 3, retryJob: 2 };

/** Uses of the API in their order, with their database round trips. The table of docs/architecture.md states the same. */
export const ROUND_TRIPS: readonly (readonly [string, number, Work])[] = [
  ['createThread', 2, (memory) => memory.createThread(off)],
  ['getThread', 1, (memory) => memory.getThread('plain')],
  ['listThreads', 1, (memory) => memory.listThreads({ userId: 'u' })],
  ['updateThread', 2, (memory) => memory.updateThread('plain', { metadata: { n: 1 } })],
  ['updateThread without a field', 1, (memory) => memory.updateThread('plain', {})],
  ['addMessages without extraction', 1, (_memory, thread) => thread.addMessages([message])],
  [
    'addMessages of 500',
    1,
    (_memory, thread) => thread.addMessages(Array.from({ length: 500 }, () => message)),
  ],
  ['getMessages', 1, (_memory, thread) => thread.getMessages({ start: 0, end: 10 })],
  ['updateMessage of metadata', 1, (_memory, thread) => thread.updateMessage('edited', { metadata: {} })],
  ['updateMessage without a field', 1, (_memory, thread) => thread.updateMessage('edited', {})],
  ['updateMessage of content', 1, (_memory, thread) => thread.updateMessage('edited', { content: 'new' })],
  [
    'updateMessage of the same content',
    1,
    (_memory, thread) => thread.updateMessage('edited', { content: 'new' }),
  ],
  ['deleteMessage', 1, (_memory, thread) => thread.deleteMessage('edited')],
  ['thread.addMemory', 1, (_memory, thread) => thread.addMemory('likes tea', { memoryId: 't' })],
  ['addMemory', 1, (memory) => memory.addMemory('likes tea')],
  ['getMemory', 1, (memory) => memory.getMemory('m')],
  ['getMemoryHistory', 1, (memory) => memory.getMemoryHistory('m')],
  ['exportUser', 4, (memory) => takeItems(memory.exportUser('u'), 10_000)],
  [
    'importRecords',
    1,
    (memory) =>
      memory.importRecords([
        {
          type: 'record',
          recordType: 'fact',
          recordId: 'imported',
          content: 'likes tea',
          metadata: {},
          status: 'active',
          timestamp: null,
          expiresAt: null,
          createdAt: '2026-01-31T09:30:00Z',
          updatedAt: '2026-01-31T09:30:00Z',
        },
        { type: 'retrieval_text', recordType: 'fact', recordId: 'imported', number: 1, text: 'likes tea' },
      ]),
  ],
  ['listAudit', 1, (memory) => memory.listAudit({ userId: 'u' })],
  ['getUser', 1, (memory) => memory.getUser('u')],
  ['getAgent', 1, (memory) => memory.getAgent('a')],
  ['listAgents', 1, (memory) => memory.listAgents()],
  ['addAgent', 1, (memory) => memory.addAgent('a2', 'Another agent')],
  ['updateAgent', 1, (memory) => memory.updateAgent('a2', { information: 'Other words' })],
  ['addUser', 1, (memory) => memory.addUser('u2', 'Ben')],
  ['thread.search', 1, (_memory, thread) => thread.search('tea')],
  ['search', 1, (memory) => memory.search('tea', { userId: 'u' })],
  ['getContextCard', 2, (_memory, thread) => thread.getContextCard()],
  ['getSummary', 1, (_memory, thread) => thread.getSummary()],
  ['getExtraction', 1, (_memory, thread) => thread.getExtraction()],
  ['waitForExtraction', 1, (_memory, thread) => thread.waitForExtraction()],
  ['listJobs', 1, (memory) => memory.listJobs({ threadId: 'plain' })],
  ['listMemories', 1, (memory) => memory.listMemories({ userId: 'u' })],
  ['listUsers', 1, (memory) => memory.listUsers()],
  ['updateMemory', 1, (memory) => memory.updateMemory('m', { content: 'likes coffee', ttlDays: 9 })],
  ['updateUser', 1, (memory) => memory.updateUser('u', { information: 'Ana bakes' })],
  ['records.add', 1, (memory) => memory.records.add({ recordType: 'fact', contents: ['a'], recordIds: 'f' })],
  [
    'records.addBatches',
    1,
    (memory) =>
      memory.records.addBatches([
        { recordType: 'message', contents: ['a', 'b'], roles: 'user', threadIds: 'plain' },
        { recordType: 'fact', contents: ['a', 'b'] },
      ]),
  ],
  ['records.list', 1, (memory) => memory.records.list({ recordType: 'fact', metadataFilter: { a: 1 } })],
  ['records.listThreadMessages', 1, (memory) => memory.records.listThreadMessages('plain')],
  ['records.search', 1, (memory) => memory.records.search({ query: 'a', k: 3 })],
  ['records.get', 1, (memory) => memory.records.get('fact', 'f')],
  ['records.update', 1, (memory) => memory.records.update('fact', 'f', { content: 'b', ttlDays: 3 })],
  ['records.delete', 1, (memory) => memory.records.delete('fact', 'f')],
  ['thread.updateMemory', 1, (_memory, thread) => thread.updateMemory('t', { content: 'likes tea' })],
  ['thread.deleteMemory', 1, (_memory, thread) => thread.deleteMemory('m')],
  ['deleteUser, counted', 1, (memory) => memory.deleteUser('u2', { cascade: true, dryRun: true })],
  ['deleteUser with cascade', 1, (memory) => memory.deleteUser('u2', { cascade: true })],
  ['deleteAgent', 1, (memory) => memory.deleteAgent('a')],
  ['deleteMemory', 1, (memory) => memory.deleteMemory('m')],
  ['deleteThread', 1, (memory) => memory.deleteThread('plain')],
];
