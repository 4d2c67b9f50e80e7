import { createGraphemeBoundaries, type GraphemeBoundaries } from './grapheme-boundaries.ts';

/** A text and where its tokens end. */
export interface TokenizedText {
  readonly text: string;
  /** For each token, the UTF-16 index at which it ends; inside a character, that character's start. */
  readonly tokenEnds: ArrayLike<number>;
}

export interface SplitOptions {
  readonly maxTokens: number;
  readonly overlapTokens: number;
}

/** Number of tokens that end at or before `index`. */
function tokensUntil(tokenEnds: ArrayLike<number>, index: number): number {
  let low = 0;
  let high = tokenEnds.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((tokenEnds[middle] ?? 0) <= index) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** End of the longest chunk from `start` within `maxTokens`; at least one written character after `start`. */
function findEnd(
  { text, tokenEnds }: TokenizedText,
  boundaries: GraphemeBoundaries,
  start: number,
  maxTokens: number,
  count: (text: string) => number,
): number {
  const first = tokensUntil(tokenEnds, start);
  for (let size = maxTokens; size > 0; ) {
    const last = first + size - 1;
    const reach = last >= tokenEnds.length - 1 ? text.length : (tokenEnds[last] ?? text.length);
    const end = boundaries.atOrBefore(reach);
    if (end <= start) break;
    const wordEnd = boundaries.wordEnd(end, start + Math.floor((end - start) / 2));
    const excess = count(text.slice(start, wordEnd)) - maxTokens;
    if (excess <= 0) return wordEnd;
    size -= excess;
  }
  return boundaries.after(start);
}

/**
 * Splits a tokenized text into chunks (see `Tokenizer.split`). A chunk cut out of a text may encode to more tokens than it had there,
 * so each is counted again and made shorter when it is over.
 */
export function splitByTokens(
  tokenized: TokenizedText,
  { maxTokens, overlapTokens }: SplitOptions,
  count: (text: string) => number,
): readonly string[] {
  const { text, tokenEnds } = tokenized;
  const boundaries = createGraphemeBoundaries(text);
  const chunks: string[] = [];
  let start = 0;
  let covered = 0;
  while (covered < text.length) {
    let end = findEnd(tokenized, boundaries, start, maxTokens, count);
    if (end <= covered && start < covered) {
      start = covered;
      end = findEnd(tokenized, boundaries, start, maxTokens, count);
    }
    chunks.push(text.slice(start, end));
    covered = end;
    const overlapStart = tokenEnds[tokensUntil(tokenEnds, end) - overlapTokens - 1] ?? 0;
    const next = overlapTokens === 0 ? end : boundaries.atOrBefore(overlapStart);
    start = next > start ? next : end;
  }
  return chunks;
}
