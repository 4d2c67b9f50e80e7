import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { SystemMessage } from '@langchain/core/messages';
import { END, START, StateGraph } from '@langchain/langgraph';
import { createAgentMemoryClient } from '../../lib/client/index.ts';
import { createMemoryNodes, MemoryState } from './memory-nodes.ts';
import { AgentMemoryStore } from './memory-store.ts';

/**
 * A graph that recalls, answers and remembers. Its store is in the memory service too: nodes and tools reach it as
 * `config.store`.
 *
 * @param model A chat model, such as `new ChatOpenAI({ model: 'gpt-5.4-mini' })`
 */
export function createAgent(model: BaseChatModel) {
  const memory = createAgentMemoryClient({
    baseUrl: process.env.AGENT_MEMORY_URL ?? 'http://127.0.0.1:8787',
    apiKey: process.env.AGENT_MEMORY_API_KEY,
  });
  const { recall, remember } = createMemoryNodes(memory, 'pia');
  return new StateGraph(MemoryState)
    .addNode('recall', recall)
    .addNode('answer', async ({ known, messages }) => ({
      messages: [await model.invoke([new SystemMessage(`You are Pia.\n${known}`), ...messages])],
    }))
    .addNode('remember', remember)
    .addEdge(START, 'recall')
    .addEdge('recall', 'answer')
    .addEdge('answer', 'remember')
    .addEdge('remember', END)
    .compile({ store: new AgentMemoryStore(memory) });
}
