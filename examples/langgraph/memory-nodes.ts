import type { BaseMessage } from '@langchain/core/messages';
import { Annotation, MessagesAnnotation } from '@langchain/langgraph';
import * as z from 'zod';
import type { AgentMemoryApi } from '../../lib/client/index.ts';
import { openThread } from '../open-thread.ts';
import { recall } from '../recall.ts';

/** The messages of a run, and what is known for them. */
export const MemoryState = Annotation.Root({ ...MessagesAnnotation.spec, known: Annotation<string> });

const configSchema = z.object({ thread_id: z.string(), user_id: z.string() });
interface NodeConfig {
  readonly configurable?: Readonly<Record<string, unknown>>;
}

/**
 * Two nodes of a graph: `recall`, before the model, writes what is known into `known`, and `remember`, after it, adds the
 * last message of the user and the answer to the thread of the run. `configurable` has `thread_id` and `user_id`.
 */
export function createMemoryNodes(memory: AgentMemoryApi, agentId: string) {
  const threadOf = ({ configurable }: NodeConfig) => {
    const { thread_id: threadId, user_id: userId } = configSchema.parse(configurable);
    return openThread(memory, { threadId, userId, agentId });
  };
  return {
    recall: async ({ messages }: typeof MemoryState.State, config: NodeConfig) => ({
      known: await recall(await threadOf(config), textOf(messages, 'human')),
    }),
    remember: async ({ messages }: typeof MemoryState.State, config: NodeConfig) => {
      const turn = [
        { role: 'user', content: textOf(messages, 'human') },
        { role: 'assistant', content: textOf(messages, 'ai') },
      ].filter(({ content }) => content.trim() !== '');
      if (turn.length > 0) await (await threadOf(config)).addMessages(turn);
      return {};
    },
  };
}

/** The text of the last message of a kind. */
function textOf(messages: readonly BaseMessage[], kind: 'human' | 'ai'): string {
  return messages.findLast((message) => message.getType() === kind)?.text ?? '';
}
