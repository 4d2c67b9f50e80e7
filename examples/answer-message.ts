import * as z from 'zod';
import type { AgentMemoryApi } from '../lib/client/index.ts';
import { type ChatMessage, type ChatModel, completeChat } from './complete-chat.ts';
import { openThread } from './open-thread.ts';
import { recall } from './recall.ts';

/** One message of a user to the agent. */
export const questionSchema = z.object({
  userId: z.string().min(1),
  threadId: z.string().min(1),
  message: z.string().min(1),
});

/** Messages of the conversation that the model reads again. */
const REREAD_MESSAGES = 10;

/** Recalls, asks the model, and adds the turn to the thread. */
export async function answerMessage(
  memory: AgentMemoryApi,
  model: ChatModel,
  { userId, threadId, message }: z.output<typeof questionSchema>,
): Promise<string> {
  const thread = await openThread(memory, { threadId, userId, agentId: 'pia' });
  const [known, earlier] = await Promise.all([recall(thread, message), thread.getMessages()]);
  const reread = earlier
    .slice(-REREAD_MESSAGES)
    .map(
      ({ role, content }): ChatMessage => ({ role: role === 'assistant' ? 'assistant' : 'user', content }),
    );
  const answer = await completeChat(model, [
    { role: 'system', content: 'You are Pia.' },
    ...reread,
    { role: 'user', content: `${known}\n\n${message}` },
  ]);
  await thread.addMessages([
    { role: 'user', content: message },
    { role: 'assistant', content: answer },
  ]);
  return answer;
}
