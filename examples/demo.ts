import { parseArgs } from 'node:util';
import { explainFailure } from '../infra/explain-failure.ts';
import { createAgentMemoryClient } from '../lib/client/agent-memory-client.ts';
import type { AgentMemoryApi, ThreadApi } from '../lib/schemas/agent-memory-api.ts';
import type { MemoryRecord } from '../lib/schemas/record.ts';
import { type Conversation, readConversation, withSuffix } from './conversation.ts';
import { startDemoService } from './demo-service.ts';
import { showProgress } from './extraction-progress.ts';

/** Enough for a service that somebody restarts meanwhile: about twelve seconds. */
const RETRIES = 6;
const DURABLE = ['memory', 'fact', 'preference', 'guideline'] as const;

function print(mark: string, { recordType, content }: MemoryRecord, note = ''): void {
  console.log(`  ${mark} ${recordType.padEnd(10)}  ${content}${note}`);
}

async function listSuperseded(memory: AgentMemoryApi, threadId: string): Promise<readonly MemoryRecord[]> {
  return (await memory.listMemories({ threadId, status: 'superseded' })).items;
}

/** Adds the messages of one day and prints what they changed: `+` is new, `-` was corrected by something new. */
async function playDay(
  memory: AgentMemoryApi,
  thread: ThreadApi,
  messages: Conversation['threads'][number]['days'][number],
): Promise<void> {
  const before = new Set((await listSuperseded(memory, thread.threadId)).map(({ id }) => id));
  const { extraction } = await thread.addMessages(messages);
  if (extraction.status === 'failed') throw new Error(`extraction failed: ${extraction.reason?.detail}`);
  console.log(`\n${thread.userId}, ${messages[0]?.timestamp.slice(0, 10)}, ${messages.length} messages`);
  for (const record of await listSuperseded(memory, thread.threadId))
    if (!before.has(record.id)) print('-', record, '  (superseded)');
  for (const memoryId of extraction.memoryIds ?? []) print('+', await memory.getMemory(memoryId));
}

/** Adds the messages of all days without waiting for what becomes of them, and shows the jobs at work. */
async function playInBackground(memory: AgentMemoryApi, { agentId, threads }: Conversation): Promise<void> {
  const extraction = { extractionMode: 'background' } as const;
  const opened = await Promise.all(
    threads.map(({ threadId, userId }) => memory.createThread({ threadId, userId, agentId, extraction })),
  );
  console.log('Messages are stored at once; what they teach is worked out in the background.\n');
  const writing = Promise.all(
    opened.map(async (thread, index) => {
      for (const messages of threads[index]?.days ?? []) await thread.addMessages(messages);
    }),
  );
  await showProgress(opened, writing);
  for (const { threadId, userId } of opened) {
    console.log(`\nWhat is known of ${userId}, and what was corrected:`);
    for await (const record of memory.iterateMemories({ threadId })) print('+', record);
    for (const record of await listSuperseded(memory, threadId)) print('-', record, '  (superseded)');
  }
}

/** Adds the messages day by day, with the memories of each day. */
async function playDayByDay(memory: AgentMemoryApi, { agentId, threads }: Conversation): Promise<void> {
  console.log('Each day: + is a new memory, - a corrected one.');
  for (const { threadId, userId, days } of threads) {
    const thread = await memory.createThread({ threadId, userId, agentId });
    for (const messages of days) await playDay(memory, thread, messages);
  }
}

async function showSearch(memory: AgentMemoryApi, userId: string, query: string): Promise<void> {
  console.log(`\nSearch for ${userId}: ${query}`);
  const results = await memory.search(query, { userId, recordTypes: [...DURABLE], maxResults: 3 });
  for (const { distance, record } of results) print(distance.toFixed(3), record);
}

/** A new conversation knows what earlier ones taught, as it is now. */
async function showCard(
  memory: AgentMemoryApi,
  agentId: string,
  { threadId, userId, messages }: Conversation['newThread'],
): Promise<void> {
  const thread = await memory.createThread({ threadId, userId, agentId });
  await thread.addMessages(messages);
  console.log(`\n${userId} begins another conversation: ${messages[0]?.content}`);
  console.log('The context card for the answer, without what was corrected:\n');
  console.log((await thread.getContextCard()).content);
}

async function play(
  memory: AgentMemoryApi,
  conversation: Conversation,
  inBackground: boolean,
): Promise<void> {
  const { agentId, agentInformation, people, searches, newThread } = conversation;
  console.log('Two people plan a journey with their assistant.');
  await memory.addAgent(agentId, agentInformation);
  for (const { userId, information } of people) await memory.addUser(userId, information);
  await (inBackground ? playInBackground : playDayByDay)(memory, conversation);
  for (const { userId, query } of searches) await showSearch(memory, userId, query);
  await showCard(memory, agentId, newThread);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      url: { type: 'string' },
      background: { type: 'boolean', default: false },
      transport: { type: 'string', default: process.env.ORACLE_TRANSPORT },
    },
  });
  const service =
    values.url === undefined ? await startDemoService(values.transport, process.env.ORDS_MODE) : undefined;
  try {
    const suffix = service === undefined ? `-${crypto.randomUUID().slice(0, 8)}` : '';
    const memory = createAgentMemoryClient({ baseUrl: service?.url ?? values.url ?? '', retries: RETRIES });
    await play(memory, withSuffix(readConversation(), suffix), values.background);
  } finally {
    await service?.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(`the demo ended early: ${explainFailure(error)}`);
  process.exitCode = 1;
}
