import {
  type AgentMemoryApi,
  AgentMemoryError,
  ContextCard,
  createAgentMemoryClient,
  SearchScope,
} from 'agent-memory-functions/client';

/** What a user's program does with the client; the worker does the same. */
export async function useClient(baseUrl: string, userId: string): Promise<Readonly<Record<string, unknown>>> {
  const memory: AgentMemoryApi = createAgentMemoryClient({ baseUrl });
  const thread = await memory.createThread({ threadId: `${userId}/日本`, userId });
  await thread.addMessages([{ role: 'user', content: 'I like green tea.' }]);
  const scope = new SearchScope({ userId, exactUserMatch: true });
  const [found] = await memory.search('tea', { scope });
  const card = await thread.getContextCard();
  const threads: string[] = [];
  for await (const each of memory.iterateThreads({ userId })) threads.push(each.threadId);
  const failure: unknown = await memory.getThread('nowhere').catch((error: unknown) => error);
  return {
    found: found?.content,
    card: card instanceof ContextCard && `${card}`.startsWith('<context_card>'),
    threads,
    code: AgentMemoryError.is(failure) ? failure.code : undefined,
    deleted: await memory.deleteThread(thread.threadId),
  };
}
