import type { StoredMessage } from '../store/messages/stored-message.ts';
import type { MemoryContext } from './memory-context.ts';

/** Tokens of a retrieval text on a store that has no embedder to limit it. */
const KEYWORD_TOKENS = 512;

/** Tokens of a retrieval text, whatever the embedder takes: more would say less about what is near. */
const RETRIEVAL_TOKENS = 8_192;
/** Characters that a token has at most in ordinary text; a longer message is not tokenized to its end. */
const CHARACTERS_PER_TOKEN = 8;

/**
 * Contents of messages as one retrieval text, oldest first, within what the embedder takes at once: when they are too
 * long, the newest stay.
 */
export function joinNewest(
  context: MemoryContext,
  messages: readonly Pick<StoredMessage, 'content'>[],
): string {
  const limit = Math.min(context.embedder?.limits.maxInputTokens ?? KEYWORD_TOKENS, RETRIEVAL_TOKENS);
  const taken: string[] = [];
  let used = 0;
  for (const { content } of messages.toReversed()) {
    const beginning = content.slice(0, limit * CHARACTERS_PER_TOKEN).toWellFormed();
    used += context.tokenizer.count(beginning) + 1;
    if (used > limit && taken.length > 0) break;
    taken.push(beginning);
  }
  return taken.reverse().join('\n');
}
