/** English contractions as the word they stand for; the other clitics ('s, 're, …) carry nothing and are dropped. */
const NEGATION = /n['’]t\b/g;
const CLITIC = /['’](?:s|re|ve|ll|m|d)\b/g;
/** Runs of one kind: a word of letters, or an unspaced run of one East Asian script. */
const WORD =
  /\p{Script=Han}+|[\p{Script=Hiragana}ー]+|[\p{Script=Katakana}ー]+|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]]+/gv;

/** One-letter words of English; the table has no single letters, and as unknown words they would weigh too much. */
const ONE_LETTER_WORDS: ReadonlySet<string> = new Set(['a', 'i']);

/** Lower-cased words of a text, compatibility forms unified (NFKC). Text without letters or digits has none. */
export function tokenizeWords(text: string): readonly string[] {
  const plain = text.normalize('NFKC').toLowerCase().replace(NEGATION, ' not').replace(CLITIC, ' ');
  return (plain.match(WORD) ?? []).filter((word) => !ONE_LETTER_WORDS.has(word));
}
