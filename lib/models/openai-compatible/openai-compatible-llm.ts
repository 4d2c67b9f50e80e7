import { OpenAICompatibleChatLanguageModel } from '@ai-sdk/openai-compatible';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { GenerateCall, Llm, LlmMessage } from '../llm.ts';
import { throwIfCancelled } from '../model-failure.ts';
import { callSignal, modelConfig, type OpenAiCompatibleEndpoint } from './endpoint.ts';
import { mapCallError } from './map-call-error.ts';

/** Which language model, where it is, and how it is asked. */
export interface OpenAiCompatibleLlmOptions extends OpenAiCompatibleEndpoint {
  /** Not sent unless given, because some models take no other than their own. */
  readonly temperature?: number | undefined;
  /** Upper bound of the answer, in tokens. */
  readonly maxOutputTokens?: number | undefined;
  /**
   * Whether the endpoint should hold the model to the schema (`strict`). Off by default: many endpoints take only a subset of
   * JSON Schema then, and every answer is validated anyway. @default false
   */
  readonly strictSchema?: boolean | undefined;
}

type Model = InstanceType<typeof OpenAICompatibleChatLanguageModel>;
type Generated = Awaited<ReturnType<Model['doGenerate']>>;
type Prompt = Parameters<Model['doGenerate']>[0]['prompt'];

function toPrompt(messages: readonly LlmMessage[]): Prompt {
  return messages.map(({ role, content }) =>
    role === 'system' ? { role, content } : { role, content: [{ type: 'text', text: content }] },
  );
}

function readText({ content, finishReason }: Generated): string {
  if (finishReason.unified === 'content-filter') {
    throw new AgentMemoryError('model_failed', 'The language model declined to answer (content filter).');
  }
  if (finishReason.unified === 'length') {
    const message =
      'The answer of the language model was cut off at its output limit (finish_reason length).';
    throw new AgentMemoryError('model_failed', message);
  }
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/**
 * A language model behind an endpoint that speaks OpenAI's chat completions. The JSON schema of a call is sent as
 * `response_format.json_schema`, named after the purpose. One call is one request; wrap it in `withRetry` for more.
 *
 * @throws from `generate`, see `mapCallError`; and a permanent `model_failed` when the answer was refused by a content filter or
 * cut off at the output limit
 */
export function createOpenAiCompatibleLlm(options: OpenAiCompatibleLlmOptions): Llm {
  const model = new OpenAICompatibleChatLanguageModel(options.model, {
    ...modelConfig(options),
    supportsStructuredOutputs: true,
  });

  async function send(call: GenerateCall): Promise<Generated> {
    throwIfCancelled(call.signal);
    try {
      return await model.doGenerate({
        prompt: toPrompt(call.messages),
        responseFormat: { type: 'json', name: call.purpose, schema: call.responseJsonSchema },
        providerOptions: { openaiCompatible: { strictJsonSchema: options.strictSchema ?? false } },
        abortSignal: callSignal(options, call.signal),
        ...(options.temperature === undefined ? {} : { temperature: options.temperature }),
        ...(options.maxOutputTokens === undefined ? {} : { maxOutputTokens: options.maxOutputTokens }),
      });
    } catch (error) {
      throw mapCallError('The language model', error, call.signal);
    }
  }

  return {
    modelId: options.model,
    async generate(call) {
      const generated = await send(call);
      return {
        text: readText(generated),
        promptTokens: generated.usage.inputTokens.total ?? null,
        completionTokens: generated.usage.outputTokens.total ?? null,
      };
    },
  };
}
