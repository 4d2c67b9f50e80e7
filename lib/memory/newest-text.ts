import type { StoredMessage } from '../store/memory-store.ts';
import type { MemoryContext } from './memory-context.ts';

/** Tokens of a retrieval text on a store that has no embedder to limit it. */
const KEYWORD_TOKENS = 512;

/**
 * Contents of messages as one retrieval text, oldest first, within what the embedder takes at once: when they are too
 * long, the newest stay.
 */
export function joinNewest(context: MemoryContext, messages: readonly StoredMessage[]): string {
  const limit = context.embedder?.limits.maxInputTokens ?? KEYWORD_TOKENS;
  const taken: string[] = [];
  let used = 0;
  for (const { content } of messages.toReversed()) {
    used += context.tokenizer.count(content) + 1;
    if (used > limit && taken.length > 0) break;
    taken.push(content);
  }
  return taken.reverse().join('\n');
}
