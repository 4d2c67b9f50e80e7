/** Counts and splits text by tokens of one encoding. User text with special tokens counts as text. */
export interface Tokenizer {
  /** Name of the encoding, `o200k_base` by default. */
  readonly encoding: string;
  count(text: string): number;
  /**
   * Splits a text into chunks of at most `maxTokens` tokens, each starting `overlapTokens` before the end of the last.
   * Never splits a surrogate pair or an emoji sequence. A text within the limit is one chunk.
   */
  split(
    text: string,
    options: { readonly maxTokens: number; readonly overlapTokens: number },
  ): readonly string[];
}
