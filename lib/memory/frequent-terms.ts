/** English words that say nothing about a topic. Terms of fewer than three letters are left out anyway. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  `about after again all also and any are because been before being but can could did does doing don't each for from
  get got had has have her here him his how i'd i'll i'm i've into it's its just know let like make many may me might
  more most much must my need new not now off one only other our out over please really said same say see she should
  some such sure take tell than thank thanks that that's the their them then there these they thing things think this
  those through too use user very want was way well were what when where which while who why will with would yes yet
  you you're your yours`.split(/\s+/),
);

const SHORTEST_TERM = 3;

function isTerm(word: string): boolean {
  if (EMPTY_WORDS.has(word) || /^\p{N}+$/u.test(word)) return false;
  return word.length >= SHORTEST_TERM || /\p{Script=Han}{2}/u.test(word);
}

/** The most frequent terms of a text, in lower case; of equally frequent ones the earlier first. */
export function findFrequentTerms(text: string, count: number): readonly string[] {
  const frequencies = new Map<string, number>();
  const words = new Intl.Segmenter('und', { granularity: 'word' }).segment(text.toLowerCase());
  for (const { segment, isWordLike } of words) {
    if (isWordLike && isTerm(segment)) frequencies.set(segment, (frequencies.get(segment) ?? 0) + 1);
  }
  return [...frequencies]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([term]) => term);
}
