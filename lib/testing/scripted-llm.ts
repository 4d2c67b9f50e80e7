import { AgentMemoryError } from '../errors/agent-memory-error.ts';
import type { GenerateCall, GenerateResult, Llm, LlmPurpose } from '../models/llm.ts';
import { throwIfCancelled } from '../models/model-failure.ts';

/** A raw answer, a value that is sent as JSON, a whole result (with token counts), or an error to throw. */
export type ScriptedAnswer = string | Readonly<Record<string, unknown>> | readonly unknown[] | Error;

/** Answers by purpose, taken one after the other; or a function of the call. */
export type LlmScript =
  | Readonly<Partial<Record<LlmPurpose, readonly ScriptedAnswer[]>>>
  | ((call: GenerateCall) => ScriptedAnswer | Promise<ScriptedAnswer>);

/** A language model that answers by a script, and remembers what it was asked. */
export interface ScriptedLlm extends Llm {
  /** Every call so far, in order. */
  readonly calls: readonly GenerateCall[];
}

function isGenerateResult(answer: object): answer is GenerateResult {
  return 'text' in answer && typeof answer.text === 'string' && 'promptTokens' in answer;
}

function toResult(answer: ScriptedAnswer): GenerateResult {
  if (answer instanceof Error) throw answer;
  if (typeof answer === 'string') return { text: answer, promptTokens: null, completionTokens: null };
  if (isGenerateResult(answer)) return answer;
  return { text: JSON.stringify(answer), promptTokens: null, completionTokens: null };
}

/**
 * A language model for tests that gives the answers it was handed and records its calls.
 *
 * A call for which no answer is left throws `model_failed` (not retryable) naming the purpose, so a test never
 * passes on an answer it did not write.
 *
 * @example
 * const llm = createScriptedLlm({ context_summary: [{ summary: 'They spoke about Lisbon.' }] });
 */
export function createScriptedLlm(script: LlmScript, modelId = 'scripted'): ScriptedLlm {
  const calls: GenerateCall[] = [];
  const taken = new Map<LlmPurpose, number>();

  function nextAnswer(call: GenerateCall): ScriptedAnswer | Promise<ScriptedAnswer> {
    if (typeof script === 'function') return script(call);
    const position = taken.get(call.purpose) ?? 0;
    taken.set(call.purpose, position + 1);
    const answer = script[call.purpose]?.[position];
    if (answer !== undefined) return answer;
    throw new AgentMemoryError(
      'model_failed',
      `The script has no answer ${position + 1} for ${call.purpose}.`,
    );
  }

  return {
    modelId,
    calls,
    async generate(call) {
      calls.push(call);
      throwIfCancelled(call.signal);
      return toResult(await nextAnswer(call));
    },
  };
}
