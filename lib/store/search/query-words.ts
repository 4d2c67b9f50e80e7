import { englishWordForms } from './english-word-forms.ts';
import { keywordText } from './keyword-text.ts';

/**
 * Words of one query. Each is one branch of the statement: beyond these a long text says little that the first words do
 * not.
 */
export const WORD_LIMIT = 24;
/** Oracle Text keeps the first 255 bytes of a token (Oracle Text Reference, "Token Limitations"). */
const WORD_BYTES = 255;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
const UNSPACED = /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]$/u;

/** English words that nearly every text holds, and what is left of contractions: they tell no text from another. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about after all also am an and any are as at be been being but by can could d did do does for from had has have ' +
    'he her him his how i if in into is it its just ll m me my no not of on or our over re s she should so t than that ' +
    'the their them then there these they this those to too up us ve very was we were what when where which who whom ' +
    'whose why will with would you your don didn doesn isn wasn aren weren hasn haven hadn won wouldn couldn shouldn'
  ).split(' '),
);

/** The words of a query as Oracle Text queries, one a word. */
export interface QueryWords {
  /** Words that tell texts apart. */
  readonly telling: readonly string[];
  /** All words: for a query that has no telling one. */
  readonly all: readonly string[];
}

/**
 * Free text as Oracle Text queries. An English word becomes any of its forms (`{train} OR {trains}`), two neighbouring
 * characters of a script without spaces become a phrase (`{東 京}`). Braces make operators and reserved words plain text
 * (Oracle Text Reference, "Special Characters in Oracle Text Queries"), and a word holds letters, digits and marks
 * only, so nothing of the caller is read as syntax.
 */
export function queryWords(text: string): QueryWords {
  const all = new Set<string>();
  const telling = new Set<string>();
  for (const [run] of text.normalize('NFC').matchAll(WORD)) {
    for (const word of wordsOf(run)) {
      const query = textQuery(word);
      if (all.size < WORD_LIMIT) all.add(query);
      if (!STOP_WORDS.has(word)) telling.add(query);
    }
    if (telling.size >= WORD_LIMIT) break;
  }
  return { telling: [...telling].slice(0, WORD_LIMIT), all: [...all] };
}

function textQuery(word: string): string {
  const forms = englishWordForms(word);
  return forms.map((form) => `{${form}}`).join(' OR ');
}

/** A word in lower case, unless that is another word to an index that compares upper case, as in `İstanbul`. */
function lowerCase(word: string): string {
  const lower = word.toLowerCase();
  return lower.toUpperCase() === word.toUpperCase() ? lower : word;
}

/** As much of a word as the index knows, in whole characters. */
function indexedPart(word: string): string {
  return word.slice(0, new TextEncoder().encodeInto(word, new Uint8Array(WORD_BYTES)).read);
}

/** A run of letters as words: runs of unspaced characters as overlapping pairs, everything else as it is. */
function wordsOf(run: string): readonly string[] {
  const pieces = keywordText(run).split(' ');
  return pieces.flatMap((piece, index) => {
    if (!UNSPACED.test(piece)) return [indexedPart(lowerCase(piece))];
    const next = pieces[index + 1] ?? '';
    if (UNSPACED.test(next)) return [`${piece} ${next}`];
    const follows = UNSPACED.test(pieces[index - 1] ?? '');
    return follows ? [] : [piece];
  });
}
