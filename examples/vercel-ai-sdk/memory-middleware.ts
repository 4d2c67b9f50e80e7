import type { LanguageModelMiddleware } from 'ai';
import type { ThreadApi } from '../../lib/client/index.ts';
import { recall } from '../recall.ts';

/** What the middleware takes of the SDK's own types, whatever their version. */
type CallParameters = Parameters<NonNullable<LanguageModelMiddleware['wrapGenerate']>>[0]['params'];
type Prompt = CallParameters['prompt'];
type UserPart = Extract<Prompt[number], { role: 'user' }>['content'][number];

/** Tells the part that the middleware adds from what the user said. */
const CARD_MARK = { agentMemory: { contextCard: true } };

/** How a step ends that is no answer. */
const UNFINISHED: ReadonlySet<string> = new Set(['tool-calls', 'error', 'interrupted']);

export interface MemoryMiddlewareOptions {
  /** Memories that are searched with what the user says now. @default 5 */
  readonly maxResults?: number;
  /** Gets a failure of the memory service, and the answer goes on without it. @default the call fails */
  readonly onFailure?: (error: unknown) => void;
}

/**
 * Gives a language model the memory of a thread: what is known goes before the user's last message, and when the model has
 * answered both are added to the thread. Steps that end in tool calls are not stored, so that a loop of steps is one turn,
 * nor what breaks off.
 *
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5.4-mini'), middleware: createMemoryMiddleware(thread) });
 */
export function createMemoryMiddleware(
  thread: ThreadApi,
  { maxResults = 5, onFailure }: MemoryMiddlewareOptions = {},
): LanguageModelMiddleware {
  const attempt = async <Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      if (onFailure === undefined) throw error;
      onFailure(error);
      return otherwise;
    }
  };
  const storeTurn = async (prompt: Prompt, answer: string): Promise<void> => {
    const said = textOf(prompt);
    const user = said === '' ? [] : [{ role: 'user', content: said }];
    const assistant = answer.trim() === '' ? [] : [{ role: 'assistant', content: answer }];
    const messages = [...user, ...assistant];
    if (messages.length > 0) await attempt(() => thread.addMessages(messages), undefined);
  };
  return {
    async transformParams({ params }) {
      const known = await attempt(() => recall(thread, textOf(params.prompt), maxResults), '');
      return known === '' ? params : { ...params, prompt: withCard(params.prompt, known) };
    },
    async wrapGenerate({ doGenerate, params }) {
      const result = await doGenerate();
      const answer = result.content.map((part) => (part.type === 'text' ? part.text : '')).join('');
      if (!UNFINISHED.has(result.finishReason.unified)) await storeTurn(params.prompt, answer);
      return result;
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream();
      let answer = '';
      let isComplete = false;
      type Part = typeof stream extends ReadableStream<infer Each> ? Each : never;
      const store = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type === 'text-delta') answer += part.delta;
          if (part.type === 'finish') isComplete = !UNFINISHED.has(part.finishReason.unified);
          controller.enqueue(part);
        },
        async flush() {
          if (isComplete) await storeTurn(params.prompt, answer);
        },
      });
      return { ...rest, stream: stream.pipeThrough(store) };
    },
  };
}

/** What the user said last, without the card. */
function textOf(prompt: Prompt): string {
  const last = prompt.findLast((message) => message.role === 'user');
  const parts = last?.role === 'user' ? last.content : [];
  return parts.map((part) => (part.type === 'text' && !isCard(part) ? part.text : '')).join('');
}

function isCard(part: UserPart): boolean {
  return part.providerOptions?.agentMemory?.contextCard === true;
}

/** The card stands with the last message, as data, so that what comes before stays the same from turn to turn. */
function withCard(prompt: Prompt, card: string): Prompt {
  const place = prompt.findLastIndex((message) => message.role === 'user');
  return prompt.map((message, index) => {
    if (index !== place || message.role !== 'user') return message;
    return {
      ...message,
      content: [{ type: 'text', text: `${card}\n\n`, providerOptions: CARD_MARK }, ...message.content],
    };
  });
}
