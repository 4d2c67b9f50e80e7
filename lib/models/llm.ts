/** What a call is for; also the name of its JSON schema (HTTP API contract, Model contract). */
export type LlmPurpose = 'memory_extraction' | 'context_summary' | 'context_card' | 'message_shortening';

/** One part of a prompt. */
export interface LlmMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** What a language model is asked. */
export interface GenerateCall {
  readonly purpose: LlmPurpose;
  readonly messages: readonly LlmMessage[];
  /** JSON schema that the answer should follow. An adapter may ignore it and rely on the prompt. */
  readonly responseJsonSchema: Readonly<Record<string, unknown>>;
  readonly signal?: AbortSignal | undefined;
}

/** What a language model answered, and what it cost; null where it does not say. */
export interface GenerateResult {
  /** The model's raw answer; parsed and validated by the caller. */
  readonly text: string;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
}

/** A language model. Failures are `AgentMemoryError`s: `model_failed` (permanent or exhausted), `timeout`, `rate_limited`. */
export interface Llm {
  readonly modelId: string;
  generate(call: GenerateCall): Promise<GenerateResult>;
}
