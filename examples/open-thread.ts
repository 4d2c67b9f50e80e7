import { type AgentMemoryApi, AgentMemoryError, type ThreadApi } from '../lib/client/index.ts';

/** The thread with an id that the caller chose, made when it is not there. */
export async function openThread(
  memory: AgentMemoryApi,
  owner: { readonly threadId: string; readonly userId: string; readonly agentId: string },
): Promise<ThreadApi> {
  try {
    return await memory.createThread(owner);
  } catch (error) {
    if (!AgentMemoryError.is(error) || error.code !== 'conflict') throw error;
    const thread = await memory.getThread(owner.threadId);
    if (thread.userId !== owner.userId) throw error;
    return thread;
  }
}
