import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Llm, LlmMessage, LlmPurpose } from '../../models/llm.ts';
import { findJsonObject, type JsonRecord } from './lenient-json.ts';

/** Model calls and tokens of one piece of work; null where no model told. */
export interface LlmUsage {
  readonly llmCalls: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

export interface StructuredCall {
  readonly purpose: LlmPurpose;
  readonly messages: readonly LlmMessage[];
  readonly responseJsonSchema: Readonly<Record<string, unknown>>;
  /** Whether an object has the fields that the answer cannot do without. */
  readonly isMeant: (value: JsonRecord) => boolean;
}

/** A language model that answers with JSON objects and counts what that takes. */
export interface StructuredModel {
  readonly modelId: string;
  /** Calls and tokens so far. */
  readonly usage: () => LlmUsage;
  /**
   * An answer without the object gets one repair attempt, then the call fails: never a silent nothing.
   * Errors: `model_failed`, what the model throws, the signal's reason.
   */
  readonly callForObject: (call: StructuredCall) => Promise<JsonRecord>;
}

/** A wrong answer is shown to the model again, but not more of it than this. */
const SHOWN_ANSWER_LIMIT = 4_000;

function addTokens(sum: number | null, tokens: number | null): number | null {
  return tokens === null ? sum : (sum ?? 0) + tokens;
}

/** Gives up waiting when the signal aborts, also for a model that ignores it. */
function abortable<Value>(work: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return work;
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

function createRepairMessages(call: StructuredCall, answer: string): readonly LlmMessage[] {
  const shown = answer.slice(0, SHOWN_ANSWER_LIMIT).toWellFormed();
  return [
    ...call.messages,
    { role: 'assistant', content: shown === '' ? '(empty answer)' : shown },
    {
      role: 'user',
      content: `That was not the JSON object asked for. Answer again with nothing but one JSON object that follows this schema: ${JSON.stringify(call.responseJsonSchema)}`,
    },
  ];
}

/** Wraps a language model for calls whose answer is a JSON object; `signal` ends all of them. */
export function createStructuredModel(llm: Llm, signal: AbortSignal | undefined): StructuredModel {
  let usage: LlmUsage = { llmCalls: 0, promptTokens: null, completionTokens: null };

  async function ask(call: StructuredCall, messages: readonly LlmMessage[]): Promise<string> {
    usage = { ...usage, llmCalls: usage.llmCalls + 1 };
    const { purpose, responseJsonSchema } = call;
    const result = await abortable(llm.generate({ purpose, messages, responseJsonSchema, signal }), signal);
    usage = {
      ...usage,
      promptTokens: addTokens(usage.promptTokens, result.promptTokens),
      completionTokens: addTokens(usage.completionTokens, result.completionTokens),
    };
    return result.text;
  }

  async function callForObject(call: StructuredCall): Promise<JsonRecord> {
    const first = await ask(call, call.messages);
    const found = findJsonObject(first, call.isMeant);
    if (found !== undefined) return found;
    const repaired = findJsonObject(await ask(call, createRepairMessages(call, first)), call.isMeant);
    if (repaired !== undefined) return repaired;
    throw new AgentMemoryError(
      'model_failed',
      `The language model did not give the structured answer for ${call.purpose}, also not when asked again.`,
    );
  }

  return { modelId: llm.modelId, usage: () => usage, callForObject };
}
