import { generateText, type ModelMessage, wrapLanguageModel } from 'ai';
import { createAgentMemoryClient } from '../../lib/client/index.ts';
import { createMemoryMiddleware } from './memory-middleware.ts';

type Model = Parameters<typeof wrapLanguageModel>[0]['model'];

/**
 * Begins a conversation with a user. The function that it returns answers one message after the other.
 *
 * @param model A model of a provider, such as `openai('gpt-5.4-mini')`
 */
export async function startConversation(
  model: Model,
  userId: string,
): Promise<(content: string) => Promise<string>> {
  const memory = createAgentMemoryClient({
    baseUrl: process.env.AGENT_MEMORY_URL ?? 'http://127.0.0.1:8787',
    apiKey: process.env.AGENT_MEMORY_API_KEY,
  });
  const thread = await memory.createThread({ userId, agentId: 'pia' });
  const withMemory = wrapLanguageModel({ model, middleware: createMemoryMiddleware(thread) });
  const messages: ModelMessage[] = [];
  return async (content) => {
    messages.push({ role: 'user', content });
    const { text } = await generateText({ model: withMemory, instructions: 'You are Pia.', messages });
    messages.push({ role: 'assistant', content: text });
    return text;
  };
}
