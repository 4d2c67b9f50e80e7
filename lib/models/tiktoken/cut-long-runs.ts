/** Characters that one unbroken run may have when it is encoded. */
export const MAX_RUN_LENGTH = 256;

/**
 * Runs that byte-pair encoding takes as one word: letters, punctuation, or white space. Its time grows with the square of
 * their length, so 200,000 equal letters would take 20 seconds.
 */
const LONG_RUN = new RegExp(
  ['[\\p{L}\\p{M}]', '[^\\s\\p{L}\\p{N}]', '\\s'].map((kind) => `${kind}{${MAX_RUN_LENGTH + 1},}`).join('|'),
  'gu',
);

function isInsidePair(text: string, index: number): boolean {
  return /[\uD800-\uDBFF]/.test(text.charAt(index - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(index));
}

/**
 * Cuts a text so that no piece holds an unbroken run of more than `MAX_RUN_LENGTH` code units; together the pieces are the text.
 * A text without such a run is one piece, and no surrogate pair is cut.
 */
export function cutLongRuns(text: string): readonly string[] {
  const pieces: string[] = [];
  let start = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    const end = run.index + run[0].length;
    for (let cut = run.index + MAX_RUN_LENGTH; cut < end; cut += MAX_RUN_LENGTH) {
      if (isInsidePair(text, cut)) cut -= 1;
      pieces.push(text.slice(start, cut));
      start = cut;
    }
  }
  pieces.push(text.slice(start));
  return pieces;
}
