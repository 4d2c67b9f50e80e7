import { parseArgs } from 'node:util';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi } from '../lib/schemas/agent-memory-api.ts';
import { type Conversation, readConversation } from './conversation.ts';
import { startDemoService } from './demo-service.ts';

const DURABLE = ['memory', 'fact', 'preference', 'guideline'] as const;

/** Writes one thread day by day and returns the ids of the memories that came out of it, in order. */
async function writeThread(
  memory: AgentMemoryApi,
  agentId: string,
  { threadId, userId, days }: Conversation['threads'][number],
): Promise<readonly string[]> {
  const thread = await memory.createThread({ threadId, userId, agentId });
  const memoryIds: string[] = [];
  for (const messages of days) {
    const { extraction } = await thread.addMessages(messages);
    if (extraction.status === 'failed') throw new Error(`extraction failed: ${extraction.reason?.detail}`);
    memoryIds.push(...(extraction.memoryIds ?? []));
  }
  return memoryIds;
}

async function showMemories(
  memory: AgentMemoryApi,
  userId: string,
  memoryIds: readonly string[],
): Promise<void> {
  console.log(`\nMemories of ${userId}\n`);
  for (const memoryId of memoryIds) {
    const { recordType, content, status } = await memory.getMemory(memoryId);
    const mark = status === 'superseded' ? '  (superseded)' : '';
    console.log(`  ${recordType.padEnd(10)}  ${content}${mark}`);
  }
}

async function showSearch(memory: AgentMemoryApi, userId: string, query: string): Promise<void> {
  console.log(`\nSearch for ${userId}: ${query}\n`);
  const results = await memory.search(query, { userId, recordTypes: [...DURABLE], maxResults: 3 });
  for (const { distance, recordType, content } of results)
    console.log(`  ${distance.toFixed(3)}  ${recordType.padEnd(10)}  ${content}`);
}

/** Ids of this run: a demo on a service that keeps its data can be run again. */
function withSuffix(conversation: Conversation, suffix: string): Conversation {
  const rename = (id: string) => `${id}${suffix}`;
  return {
    ...conversation,
    agentId: rename(conversation.agentId),
    people: conversation.people.map((person) => ({ ...person, userId: rename(person.userId) })),
    threads: conversation.threads.map((thread) => ({
      ...thread,
      threadId: rename(thread.threadId),
      userId: rename(thread.userId),
    })),
    searches: conversation.searches.map((search) => ({ ...search, userId: rename(search.userId) })),
  };
}

async function play(memory: AgentMemoryApi, conversation: Conversation): Promise<void> {
  const { agentId, agentInformation, people, threads, searches } = conversation;
  await memory.addAgent(agentId, agentInformation);
  for (const { userId, information } of people) await memory.addUser(userId, information);
  for (const thread of threads) {
    const memoryIds = await writeThread(memory, agentId, thread);
    const messages = thread.days.flat().length;
    console.log(
      `\n${thread.userId}: ${messages} messages on ${thread.days.length} days, ${memoryIds.length} memories`,
    );
    await showMemories(memory, thread.userId, memoryIds);
  }
  for (const { userId, query } of searches) await showSearch(memory, userId, query);
  const [first] = threads;
  if (first === undefined) return;
  const card = await (await memory.getThread(first.threadId)).getContextCard({ maxRelevantResults: 8 });
  console.log(`\nContext card of the thread ${first.threadId}\n\n${card.content}`);
}

const { values } = parseArgs({ options: { url: { type: 'string' } } });
const service = values.url === undefined ? await startDemoService() : undefined;
try {
  const suffix = service === undefined ? `-${crypto.randomUUID().slice(0, 8)}` : '';
  const memory = createAgentMemoryClient({ baseUrl: service?.url ?? values.url ?? '' });
  await play(memory, withSuffix(readConversation(), suffix));
} finally {
  await service?.close();
}
