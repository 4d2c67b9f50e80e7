const UNITS_PER_TOKEN = 6;
/** Characters that may follow a cut, so that the last grapheme within the budget is always whole. */
const SLACK = 64;

function weigh(text: string): number {
  let units = 0;
  for (const character of text) units += character.charCodeAt(0) < 128 ? 2 : 9;
  return units;
}

/** Tokens of a text, estimated high: a third for an ASCII character, one and a half for any other. */
export function estimateTokens(text: string): number {
  return Math.ceil(weigh(text) / UNITS_PER_TOKEN);
}

/** The longest start or end of a text, in whole graphemes, within an estimated number of tokens. */
export function takeTokens(text: string, tokens: number, from: 'start' | 'end'): string {
  const reach = Math.max(0, Math.floor(tokens)) * 3 + SLACK;
  const window = from === 'start' ? text.slice(0, reach) : text.slice(-reach);
  const graphemes = Array.from(new Intl.Segmenter().segment(window), ({ segment }) => segment);
  const ordered = from === 'start' ? graphemes : graphemes.toReversed();
  let units = 0;
  const kept = ordered.slice(
    0,
    ordered.findIndex((grapheme) => {
      units += weigh(grapheme);
      return units > tokens * UNITS_PER_TOKEN;
    }) >>> 0,
  );
  return (from === 'start' ? kept : kept.toReversed()).join('');
}
