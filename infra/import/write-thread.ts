import type { AgentMemoryApi, ThreadApi } from '../../lib/schemas/agent-memory-api.ts';
import { isConflict } from './failure-kind.ts';
import type { PlannedMessage, PlannedThread } from './import-plan.ts';
import type { ImportTally } from './run-import.ts';
import { splitBySize } from './split-by-size.ts';

/**
 * Makes the thread when it is not there, without extraction, and adds the messages that it does not have, in order. A thread
 * with this id and other owners gets none.
 */
export async function writeThread(
  memory: AgentMemoryApi,
  planned: PlannedThread,
  threads: ImportTally,
  messages: ImportTally,
): Promise<void> {
  const created = await createThread(memory, planned);
  const thread = created ?? (await memory.getThread(planned.threadId));
  if (thread.userId !== planned.userId || thread.agentId !== planned.agentId) {
    threads.different += 1;
    messages.different += planned.messages.length;
    return;
  }
  threads[created === undefined ? 'unchanged' : 'added'] += 1;
  const missing = created === undefined ? await missingMessages(thread, planned, messages) : planned.messages;
  for (const batch of splitBySize(missing)) {
    await thread.addMessages(batch);
    messages.added += batch.length;
  }
}

async function createThread(
  memory: AgentMemoryApi,
  { threadId, userId, agentId, metadata }: PlannedThread,
): Promise<ThreadApi | undefined> {
  try {
    const extraction = { extractMemories: false };
    return await memory.createThread({ threadId, userId, agentId, metadata, extraction });
  } catch (error) {
    if (isConflict(error)) return undefined;
    throw error;
  }
}

async function missingMessages(
  thread: ThreadApi,
  { messages: planned }: PlannedThread,
  tally: ImportTally,
): Promise<readonly PlannedMessage[]> {
  const window = await thread.getMessages({ start: 0, end: -1 });
  const stored = new Map(window.map(({ id, content }) => [id, content]));
  for (const { id, content } of planned) {
    if (stored.has(id)) tally[stored.get(id) === content ? 'unchanged' : 'different'] += 1;
  }
  return planned.filter(({ id }) => !stored.has(id));
}
