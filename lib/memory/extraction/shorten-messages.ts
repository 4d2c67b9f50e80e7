import type { StoredMessage } from '../../store/messages/stored-message.ts';
import type { StoredThread } from '../../store/threads/stored-thread.ts';
import type { MemoryContext } from '../memory-context.ts';
import { cleanText, type JsonRecord } from './lenient-json.ts';
import { excerptText, isLongerThan } from './prompt-budget.ts';
import { renderSections, renderTokenBudget } from './prompt-sections.ts';
import { SHORTENING_INSTRUCTIONS } from './prompts.ts';
import { MESSAGE_SHORTENING_SCHEMA } from './response-schemas.ts';
import type { StructuredModel } from './structured-model.ts';

/** Messages of one pass that the model shortens; more would not fit the prompt anyway. The others are cut. */
const SHORTENED_MESSAGES = 4;

function isShortened({ content }: JsonRecord): boolean {
  return cleanText(content) !== '';
}

async function shortenMessage(
  context: MemoryContext,
  model: StructuredModel,
  { config }: StoredThread,
  message: StoredMessage,
): Promise<StoredMessage> {
  const { maxMessageTokenLength: limit, messageShorteningInputTokenLimit: inputLimit } = config;
  const excerpt = { ...message, content: excerptText(context.tokenizer, message.content, inputLimit) };
  const sections = renderSections({ pastMemories: [], summary: null, messages: [excerpt] });
  try {
    const answer = await model.callForObject({
      purpose: 'message_shortening',
      messages: [
        { role: 'system', content: SHORTENING_INSTRUCTIONS },
        { role: 'user', content: `${sections}\n${renderTokenBudget(limit)}` },
      ],
      responseJsonSchema: MESSAGE_SHORTENING_SCHEMA,
      isMeant: isShortened,
    });
    return { ...message, content: cleanText(answer.content) };
  } catch (error) {
    if (context.signal?.aborted) throw error;
    return message;
  }
}

/**
 * Prompt copies of messages over `maxMessageTokenLength`, summarised by the model from beginning and end; what it cannot shorten stays and is
 * cut later (contract §4.1). Stored text never changes.
 */
export async function shortenMessages(
  context: MemoryContext,
  model: StructuredModel,
  thread: StoredThread,
  messages: readonly StoredMessage[],
): Promise<ReadonlyMap<string, StoredMessage>> {
  const limit = thread.config.maxMessageTokenLength;
  const oversized = messages.filter(({ content }) => isLongerThan(context.tokenizer, content, limit));
  const shortened = await Promise.all(
    oversized.slice(-SHORTENED_MESSAGES).map((message) => shortenMessage(context, model, thread, message)),
  );
  return new Map(shortened.map((message) => [message.id, message]));
}
