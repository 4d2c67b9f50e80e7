import type { Llm, LlmPurpose } from '../llm.ts';
import { throwIfCancelled } from '../model-failure.ts';
import { extractMemories } from './extract-memories.ts';
import { type PromptSections, readPromptSections } from './prompt-sections.ts';
import { findTopics, shortenMessage, summarize } from './summarize.ts';

const ANSWERS: Readonly<Record<LlmPurpose, (sections: PromptSections) => object>> = {
  memory_extraction: (sections) => ({ memories: extractMemories(sections) }),
  context_summary: (sections) => ({ summary: summarize(sections) }),
  context_card: (sections) => ({ summary: summarize(sections), topics: findTopics(sections) }),
  message_shortening: (sections) => ({ content: shortenMessage(sections) }),
};

/**
 * A stand-in for a language model that works by written rules: deterministic, offline, without training. It reads the prompt
 * as a model would and answers with the JSON of the Model contract (HTTP API contract). It finds first-person statements and
 * stated rules in English and Japanese, and summarises by extracting; what its rules do not cover it leaves out.
 *
 * Token counts are null. `generate` throws `model_failed` for a prompt without readable messages.
 */
export function createRulesLlm(): Llm {
  return {
    modelId: 'rules-1',
    async generate(call) {
      throwIfCancelled(call.signal);
      const answer = ANSWERS[call.purpose](readPromptSections(call.messages));
      return { text: JSON.stringify(answer), promptTokens: null, completionTokens: null };
    },
  };
}
