/** What a statement is made of, as far as two statements are compared by their words. */
export interface StatementWords {
  /** Words in the order said, function words and predicates left out. */
  readonly order: readonly string[];
  /** The same around the first copula; undefined without one. */
  readonly aroundCopula: { readonly left: readonly string[]; readonly right: readonly string[] } | undefined;
  /** Predicates by their class, sorted. Without any, what joins the words: to be a manager is not to have one. */
  readonly predicates: readonly string[];
}

/** Punctuation of sentences and quotations. `#`, `+`, `%`, `$` and `-` are part of what is said: C# is not C. */
const EDGE_PUNCTUATION = /^[.,;:!?…"'“”‘’«»()[\]。、！？「」]+|[.,;:!?…"'“”‘’«»()[\]。、！？「」]+$/gu;

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(' '));
}

/** Words that change no statement. Negations, comparisons, tenses and directions are not among them. */
const FUNCTION_WORDS = wordSet(
  'a an the of to in at on as and where who which currently now also really very please do does be being because due - – —',
);
const COPULAS = wordSet('is are am');
const POSSESSIONS = wordSet('has have own owns');
const SELF = wordSet('user i my me mine myself');
const NEGATIONS = wordSet('not no never none nor neither without cannot');
const PAST = wordSet('was were been had did');

/** Predicates that say the same; their place in the sentence does not matter. */
const PREDICATES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    live: 'live living reside residing dwell based home',
    like: 'like love enjoy fond',
    prefer: 'prefer favourite favorite',
    dislike: 'dislike hate detest loathe',
    work: 'work working job employed occupation profession',
    allergy: 'allergy allergic',
    name: 'name named called',
  }).flatMap(([predicate, words]) => words.split(' ').map((word) => [word, predicate] as const)),
);

const SYNONYMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    child: 'kid children',
    answer: 'reply respond',
    buy: 'purchase',
    car: 'automobile',
    '0': 'zero',
    '1': 'one',
    '2': 'two',
    '3': 'three',
    '4': 'four',
    '5': 'five',
    '6': 'six',
    '7': 'seven',
    '8': 'eight',
    '9': 'nine',
    '10': 'ten',
  }).flatMap(([word, others]) => others.split(' ').map((other) => [other, word] as const)),
);

/** Folds the plural and the third person. Tenses stay apart: who lived somewhere may live elsewhere now. */
function baseForm(word: string): string {
  if (!/^\p{Script=Latin}{4,}$/u.test(word)) return word;
  if (/[^aeiou]ies$/u.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:ss|sh|ch|x|z)es$/u.test(word)) return word.slice(0, -2);
  return /[^siu]s$/u.test(word) ? word.slice(0, -1) : word;
}

/** Lower-case words without the punctuation around them; `user's` is `user`, `doesn't` is `does not`, `works as` is `is`. */
function splitWords(content: string): readonly string[] {
  return content
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’`]/gu, "'")
    .replace(/\bwon't\b/gu, 'will not')
    .replace(/\bcan't\b/gu, 'can not')
    .replace(/n't\b/gu, ' not')
    .replace(/\bi'm\b/gu, 'i am')
    .replace(/\b(?:works?|working|employed|ha(?:s|ve) a job) as\b/gu, 'is')
    .split(/\s+/u)
    .map((word) => word.replace(EDGE_PUNCTUATION, '').replace(/'s$|(?<=s)'$/u, ''))
    .filter((word) => word !== '');
}

function classify(word: string): string {
  if (NEGATIONS.has(word)) return 'not';
  if (PAST.has(word)) return 'was';
  if (SELF.has(word)) return 'user';
  const base = SYNONYMS.get(word) ?? baseForm(word);
  return SYNONYMS.get(base) ?? base;
}

/** The user as the subject may be left unsaid. */
function withoutSubject(words: readonly string[]): readonly string[] {
  return words[0] === 'user' ? words.slice(1) : words;
}

/** Reads a statement into its words. Scripts without spaces give one word: they are only equal when they are the same. */
export function readStatementWords(content: string): StatementWords {
  const left: string[] = [];
  const right: string[] = [];
  const predicates = new Set<string>();
  const links = new Set<string>();
  let side = left;
  for (const word of splitWords(content)) {
    const meant = classify(word);
    const predicate = PREDICATES.get(meant);
    if (COPULAS.has(word)) {
      side = right;
      links.add('be');
    } else if (POSSESSIONS.has(word)) links.add('have');
    else if (predicate !== undefined) predicates.add(predicate);
    else if (!FUNCTION_WORDS.has(word)) side.push(meant);
  }
  const around = { left: withoutSubject(left), right: withoutSubject(right) };
  return {
    order: [...around.left, ...around.right],
    aroundCopula: side === right ? around : undefined,
    predicates: [...(predicates.size > 0 ? predicates : links)].toSorted(),
  };
}
