import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createRulesLlm } from '../../lib/models/rules/rules-llm.ts';
import { type ApiFixture, costsOf, jsonRequest, startApi } from './api-fixture.ts';

let api: ApiFixture;
beforeAll(async () => {
  api = await startApi();
  await api.client.addUser('ana', 'Ana cooks.');
  await api.client.createThread({ threadId: 'thread-1', userId: 'ana', agentId: 'guide' });
});
afterAll(() => api.close());

const messages = Array.from({ length: 500 }, (_, index) => ({
  role: 'user',
  content: `message ${index} of peanuts`,
}));

/** A vector of the store's width. */
const unit = Array.from({ length: 64 }, (_, index) => (index === 0 ? 1 : 0));

/** What each operation costs on the way to the database and to the embedder, with extraction off. */
const COSTS = [
  ['createThread', 'POST', '/threads', { threadId: 'thread-2' }, { db: 2, embed: 0 }],
  ['getThread', 'GET', '/threads/thread-1', undefined, { db: 1, embed: 0 }],
  ['listThreads', 'GET', '/threads?userId=ana&limit=1', undefined, { db: 1, embed: 0 }],
  ['updateThread', 'PATCH', '/threads/thread-2', { metadata: {} }, { db: 2, embed: 0 }],
  ['updateThread', 'PATCH', '/threads/thread-2', {}, { db: 1, embed: 0 }],
  ['addMessages', 'POST', '/threads/thread-1/messages', { messages }, { db: 1, embed: 6 }],
  [
    'addMessages',
    'POST',
    '/threads/thread-1/messages',
    { messages: messages.slice(0, 2) },
    { db: 1, embed: 1 },
  ],
  [
    'addMessages',
    'POST',
    '/threads/thread-1/messages',
    { messages: [{ id: 'message-1', role: 'user', content: 'a' }] },
    { db: 1, embed: 1 },
  ],
  ['updateMessage', 'PATCH', '/threads/thread-1/messages/message-1', { content: 'b' }, { db: 1, embed: 1 }],
  ['updateMessage', 'PATCH', '/threads/thread-1/messages/message-1', { content: 'b' }, { db: 1, embed: 1 }],
  [
    'updateMessage',
    'PATCH',
    '/threads/thread-1/messages/message-1',
    { content: 'b', metadata: {} },
    { db: 1, embed: 1 },
  ],
  ['updateMessage', 'PATCH', '/threads/thread-1/messages/message-1', { ttlDays: 1 }, { db: 1, embed: 0 }],
  ['updateMessage', 'PATCH', '/threads/thread-1/messages/message-1', {}, { db: 1, embed: 0 }],
  ['deleteMessage', 'DELETE', '/threads/thread-1/messages/message-1', undefined, { db: 1, embed: 0 }],
  ['addRecords', 'POST', '/records', { recordType: 'fact', contents: ['a', 'b'] }, { db: 1, embed: 1 }],
  [
    'addRecords',
    'POST',
    '/records',
    { recordType: 'fact', contents: ['a'], recordIds: 'fact-1', embeddings: [unit] },
    { db: 1, embed: 0 },
  ],
  [
    'addRecordBatches',
    'POST',
    '/records/batches',
    {
      batches: [
        { recordType: 'message', contents: ['a'], roles: 'user', threadIds: 'thread-1' },
        { recordType: 'fact', contents: Array.from({ length: 50 }, (_, index) => `fact ${index}`) },
      ],
    },
    { db: 1, embed: 1 },
  ],
  ['listRecords', 'POST', '/records/list', { recordType: 'fact', metadataFilter: {} }, { db: 1, embed: 0 }],
  ['searchRecords', 'POST', '/records/search', { query: 'a', k: 3 }, { db: 1, embed: 1 }],
  ['searchRecords', 'POST', '/records/search', { queryVector: unit, k: 3 }, { db: 1, embed: 0 }],
  ['getRecord', 'GET', '/records/fact/fact-1', undefined, { db: 1, embed: 0 }],
  ['updateRecord', 'PATCH', '/records/fact/fact-1', { content: 'b' }, { db: 1, embed: 1 }],
  ['updateRecord', 'PATCH', '/records/fact/fact-1', { embedding: unit }, { db: 1, embed: 0 }],
  ['deleteRecord', 'DELETE', '/records/fact/fact-1', undefined, { db: 1, embed: 0 }],
  ['getMessages', 'GET', '/threads/thread-1/messages', undefined, { db: 1, embed: 0 }],
  [
    'addThreadMemory',
    'POST',
    '/threads/thread-1/memories',
    { content: 'a', memoryId: 'memory-1' },
    { db: 1, embed: 1 },
  ],
  ['addMemory', 'POST', '/memories', { content: 'a' }, { db: 1, embed: 1 }],
  ['getMemory', 'GET', '/memories/memory-1', undefined, { db: 1, embed: 0 }],
  ['listMemories', 'GET', '/memories?userId=ana', undefined, { db: 1, embed: 0 }],
  ['updateMemory', 'PATCH', '/memories/memory-1', { content: 'b' }, { db: 1, embed: 1 }],
  ['updateMemory', 'PATCH', '/memories/memory-1', { ttlDays: 7 }, { db: 1, embed: 0 }],
  [
    'updateThreadMemory',
    'PATCH',
    '/threads/thread-1/memories/memory-1',
    { content: 'c' },
    { db: 1, embed: 1 },
  ],
  ['deleteThreadMemory', 'DELETE', '/threads/thread-1/memories/none', undefined, { db: 1, embed: 0 }],
  ['deleteMemory', 'DELETE', '/memories/memory-1', undefined, { db: 1, embed: 0 }],
  ['addUser', 'POST', '/users', { userId: 'ben', information: 'Ben rows.' }, { db: 1, embed: 1 }],
  ['getUser', 'GET', '/users/ben', undefined, { db: 1, embed: 0 }],
  ['listUsers', 'GET', '/users', undefined, { db: 1, embed: 0 }],
  ['updateUser', 'PATCH', '/users/ben', { information: 'Ben sails.' }, { db: 1, embed: 1 }],
  ['updateUser', 'PATCH', '/users/ben', { metadata: null }, { db: 1, embed: 0 }],
  ['addAgent', 'POST', '/agents', { agentId: 'coach', information: 'Coaches.' }, { db: 1, embed: 1 }],
  ['getAgent', 'GET', '/agents/coach', undefined, { db: 1, embed: 0 }],
  ['search', 'POST', '/search', { query: 'peanuts', userId: 'ana' }, { db: 1, embed: 1 }],
  ['searchThread', 'POST', '/threads/thread-1/search', { query: 'peanuts' }, { db: 1, embed: 1 }],
  ['getContextCard', 'POST', '/threads/thread-1/context-card', {}, { db: 2, embed: 1 }],
  ['getSummary', 'POST', '/threads/thread-1/summary', {}, { db: 1, embed: 0 }],
  ['getExtraction', 'GET', '/threads/thread-1/extraction', undefined, { db: 1, embed: 0 }],
  ['waitForExtraction', 'POST', '/threads/thread-1/wait-for-extraction', {}, { db: 1, embed: 0 }],
  ['listJobs', 'GET', '/jobs?threadId=thread-1&status=failed', undefined, { db: 1, embed: 0 }],
  ['listAgents', 'GET', '/agents', undefined, { db: 1, embed: 0 }],
  ['updateAgent', 'PATCH', '/agents/coach', { metadata: {} }, { db: 1, embed: 0 }],
  ['deleteAgent', 'DELETE', '/agents/coach', undefined, { db: 1, embed: 0 }],
  ['deleteUser', 'DELETE', '/users/ana?cascade=true&dryRun=true', undefined, { db: 1, embed: 0 }],
  ['deleteUser', 'DELETE', '/users/ana?cascade=true', undefined, { db: 1, embed: 0 }],
  ['deleteUser', 'DELETE', '/users/ben?dryRun=true', undefined, { db: 1, embed: 0 }],
  ['deleteThread', 'DELETE', '/threads/thread-2', undefined, { db: 1, embed: 0 }],
] as const;

describe('the round trips', () => {
  it.each(COSTS)('of %s (%s %s)', async (_, method, path, body, costs) => {
    const init = body === undefined ? { method } : jsonRequest(method, body);
    const response = await api.app.request(`/v1${path}`, init);
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    expect(costsOf(response)).toMatchObject(costs);
  });
});

describe('the round trips with inline extraction', () => {
  let extracting: ApiFixture;
  beforeAll(async () => {
    extracting = await startApi({ variables: { MEMORY_EXTRACTION: '{}' }, llm: createRulesLlm() });
    await extracting.client.createThread({ threadId: 'thread', userId: 'ana', agentId: 'guide' });
  });
  afterAll(() => extracting.close());

  it.each([
    ['addMessages', 'POST', '', { messages: [{ id: 'm', role: 'user', content: 'I live in Faro.' }] }, 4],
    ['updateMessage', 'PATCH', '/m', { content: 'I live in Porto.' }, 3],
    ['updateMessage of the same content', 'PATCH', '/m', { content: 'I live in Porto.' }, 1],
  ])('of %s', async (_, method, path, body, db) => {
    const url = `/v1/threads/thread/messages${path}`;
    const response = await extracting.app.request(url, jsonRequest(method, body));
    expect(response.status, await response.clone().text()).toBeLessThan(300);
    expect(costsOf(response).db).toBe(db);
  });
});
