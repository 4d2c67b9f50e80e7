import type { Tokenizer } from '../../lib/models/tokenizer.ts';

function words(text: string): readonly string[] {
  return text.match(/\s*\S+\s*$|\s*\S+/gu) ?? [];
}

/** A tokenizer whose tokens are words, so that tests can count on their fingers. */
export const wordTokenizer: Tokenizer = {
  encoding: 'words',
  count: (text) => words(text).length,
  split(text, { maxTokens, overlapTokens }) {
    const tokens = words(text);
    if (tokens.length <= maxTokens) return [text];
    const chunks: string[] = [];
    for (let start = 0; ; start += maxTokens - overlapTokens) {
      chunks.push(tokens.slice(start, start + maxTokens).join(''));
      if (start + maxTokens >= tokens.length) return chunks;
    }
  },
};
