/** Words that stand between subject and verb. */
const ADVERBS =
  'always|never|usually|really|also|just|now|still|currently|actually|mostly|often|sometimes|rarely|absolutely|only|recently|generally|normally|typically|truly|strongly|definitely|especially|particularly|both|no longer|already|finally|even|kind of|sort of|hardly|personally';
const FIRST_PERSON = new RegExp(`^I\\s+((?:(?:${ADVERBS})\\s+)*)([\\p{L}'’]+)(.*)$`, 'su');
const PERIOD =
  '\\p{L}+day|week|weekend|month|year|morning|afternoon|evening|night|spring|summer|autumn|fall|winter';
const LEADING_TIME = new RegExp(
  `^((?:(?:last|this|next|every|each)\\s+(?:${PERIOD})|these days|nowadays|currently|now|recently|today|yesterday|(?:since|in|as of|on|after|before|for|at|during|until|around)\\s[^,.]{1,40}?)),?\\s+(?=(?:I|my|our)\\s)`,
  'iu',
);

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b[Ii]['’]?m\b/g, 'I am'],
  [/\b[Ii]['’]ve\b/g, 'I have'],
  [/\b[Ii]['’]ll\b/g, 'I will'],
  [/\b[Ii]['’]d\b/g, 'I would'],
  [/\bcan['’]?t\b/gi, 'cannot'],
  [/\bwon['’]t\b/gi, 'will not'],
  [/\bdont\b/gi, 'do not'],
  [/\b(\p{L}+)n['’]t\b/giu, '$1 not'],
  [/\bi\b(?=\s)/g, 'I'],
];

const UNCHANGED = new Set(
  'can cannot could will would shall should may might must was had did got went bought met lost quit became began took made saw found left grew ran won broke sold gave came felt kept taught wrote built spent had chose drove ate drank spoke knew thought told used set cut'.split(
    ' ',
  ),
);
const NO_PAST = new Set('need feed speed breed exceed proceed succeed bleed embed'.split(' '));
const IRREGULAR: Readonly<Record<string, string>> = {
  am: 'is',
  have: 'has',
  do: 'does',
  go: 'goes',
  are: 'is',
};

function conjugate(verb: string): string {
  const lower = verb.toLowerCase();
  const irregular = IRREGULAR[lower];
  if (irregular !== undefined) return irregular;
  if (UNCHANGED.has(lower)) return verb;
  if (lower.endsWith('ed') && !NO_PAST.has(lower)) return verb;
  if (/(?:s|x|z|ch|sh)$/.test(lower)) return `${verb}es`;
  return /[^aeiou]y$/.test(lower) ? `${verb.slice(0, -1)}ies` : `${verb}s`;
}

function rewritePronouns(text: string): string {
  return text
    .replace(/\bI am\b/g, 'they are')
    .replace(/\bI was\b/g, 'they were')
    .replace(/\bI\b/g, 'they')
    .replace(/\bmyself\b/gi, 'themselves')
    .replace(/\b(?:mine|ours)\b/gi, 'theirs')
    .replace(/\b(?:my|our)\b/gi, 'their')
    .replace(/\bme\b/gi, 'them');
}

/** Writes contractions out and the pronoun `i` as `I`. */
export function expandContractions(text: string): string {
  return CONTRACTIONS.reduce(
    (expanded, [pattern, replacement]) => expanded.replace(pattern, replacement),
    text,
  );
}

/**
 * Rewrites a clause in the first person (`I live …`, `my sister …`) as one about `User`; null for any other clause.
 * A time in front of it moves to the end. The clause must have its contractions written out and no end punctuation.
 */
export function toThirdPerson(clause: string): string | null {
  const [lead, time] = LEADING_TIME.exec(clause) ?? [];
  if (lead !== undefined && time !== undefined) {
    const rest = toThirdPerson(clause.slice(lead.length));
    return rest === null ? null : `${rest} ${rewritePronouns(time.charAt(0).toLowerCase() + time.slice(1))}`;
  }
  const possessive = /^(?:my|our)\s+(.+)$/isu.exec(clause)?.[1];
  if (possessive !== undefined) return `User's ${rewritePronouns(possessive)}`;
  const [, adverbs, verb, rest] = FIRST_PERSON.exec(clause) ?? [];
  if (verb === undefined) return null;
  return `User ${adverbs ?? ''}${conjugate(verb)}${rewritePronouns(rest ?? '')}`;
}
