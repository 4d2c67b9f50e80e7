import { isGuideline } from './english-guidelines.ts';

/** Openers that carry nothing: reactions, connectives, requests to remember. */
const OPENER =
  /^(?:(?:(?:(?:an?|one|another|some|more|small|short|quick|little|minor|big|great|good|bad|important|last|final) ){0,3}(?:updates?|corrections?|news|notes?|change|reminder|detail|info|background|context|heads[- ]?up|thing)(?: (?:from me|about me|for you))?(?=\s*[:,–—-])|about me(?=:)|actually|well|oh|by the way|btw|also|and|but|so|ok|okay|yes|yeah|no|nope|hi|hello|hey|sorry|correction|update|wait|hmm|anyway|for the record|fyi|right|sure|thanks|thank you|look|listen|honestly|to be honest|great|please note that|please note|note that|note|just so you know|you should know that|as you know|please|kindly|one more thing|first|second|finally|as i said|i mean|i meant|in fact|unfortunately|sadly|luckily|good news|i(?: have)? changed my mind)\b[\s,:;.!—–-]*)+/i;
/** A change announced before it is told: `I changed my job: …`. */
const ANNOUNCEMENT =
  /^(?!.*\b(?:text|prompt|message|sentence|code|wording|line|paragraph|title|status)\b[^:]*:)(?:(?:I|we|my|our)\b[^:]{0,60}\b(?:changed|change|changes|moved|switched|decided|different|news|promoted|hired)\b|things (?:have )?changed\b|there (?:is|was|has been) (?:an? )?(?:change|update|news)\b)[^:]{0,40}:\s+(?=(?:I|my|we|our)\b)/iu;
/** A request of the moment behind a statement. */
const REQUEST_BEHIND = /(?:[,;]|\s[-–—])\s*(?:(?:so|and|but)\s+)?please\b.*$/isu;
const POLITE_END = /,?\s*(?:please|thanks|thank you|thx)\s*[.!]*$/i;
const NEXT_CLAUSE = /(?:,?\s+(?:and|but|so)\s+|;\s*|,\s+)(?=(?:I|my|we)\b)/iu;
const NEXT_VERB =
  /\s+and\s+(?=(?:live|love|like|prefer|hate|work|have|use|speak|drink|eat|play|study|own|drive|enjoy|moved|joined|started|bought|got|became)\s)/iu;
const SUBORDINATE =
  /^(?:when|whenever|because|since|although|though|while|as|after|before|until|unless|if)\b/i;
const REASON = /^(?:because|since|as)\s+(?=(?:I|my|we)\b)/i;
const CONDITION = /^(?:when(?:ever)?|if|unless|every time|each time|until|before|after|while)\b/i;
/** What comes between a statement and the rule that follows from it. */
const INTRODUCTION =
  /(?:,\s*|\s+)(?<connective>(?:(?:so|therefore|hence|and|but)\s+)?please,?\s+(?=\p{L})|(?:so|therefore|hence|and|but)\s+(?=(?:always|never|from now on|make sure|do not ever)\b))/giu;
/** Rules that are looked for in one sentence. */
const MAX_INTRODUCTIONS = 4;
/** What comes between a rule and the statement that gives its reason. */
const REASON_BEHIND = /,\s+(?=(?:I|my|we)\b)/iu;
/** `so never had to …`: the subject of the statement goes on. */
const SAME_SUBJECT =
  /^(?:always|never) (?:(?!need|feed|embed|proceed|exceed)\p{L}+ed|had|has|was|were|got|went|did|saw|came|felt|found|made|took|an?|the)\b/iu;

/** Leaves out openers, also labels such as `Small update:`. */
export function dropOpener(text: string): string {
  return text.replace(OPENER, '');
}

/** Leaves out what frames a statement: openers, the announcement of a change, a closing `please`. */
export function dropFrame(text: string): string {
  return dropOpener(text).replace(ANNOUNCEMENT, '').replace(POLITE_END, '');
}

/** Divides a sentence into clauses that each state something; a subordinate one in front keeps its main clause. */
export function splitClauses(sentence: string): readonly string[] {
  const stated = sentence.replace(REQUEST_BEHIND, '');
  if (SUBORDINATE.test(stated)) return [stated];
  return stated.split(NEXT_CLAUSE).flatMap((clause) => {
    const [first = '', ...others] = clause.split(NEXT_VERB);
    return [first, ...others.map((other) => (/^(?:I|we)\b/i.test(first) ? `I ${other}` : other))];
  });
}

/** A sentence whose rule for the assistant, if it has one, stands apart from what is stated before it. */
export interface GuidedSentence {
  readonly stated: string;
  readonly guideline: string | null;
}

/** Whether `and always …` can only be meant for the assistant: with `please`, or since nobody calls themselves. */
function isAddressed(stated: string, connective: string, rule: string): boolean {
  if (!/^(?:and|but)\s+$/i.test(connective)) return true;
  return /^I\b/.test(stated) && /^[^,;]*\bme\b/i.test(rule);
}

function takeIntroduced(sentence: string): GuidedSentence | null {
  const introductions = [...sentence.matchAll(INTRODUCTION)].slice(0, MAX_INTRODUCTIONS);
  for (const { 0: whole, index, groups } of introductions) {
    const stated = sentence.slice(0, index);
    const guideline = sentence.slice(index + whole.length);
    const isRule =
      !SAME_SUBJECT.test(guideline) &&
      isGuideline(guideline) &&
      isAddressed(stated, groups?.connective ?? '', guideline);
    if (isRule) return { stated: stated.replace(REASON, ''), guideline };
  }
  return null;
}

/**
 * Takes a rule out of a sentence: the whole sentence, what `so`, `and` or `please` introduces in it
 * (`I work nights, so please never call me before noon`), or what stands before its reason. A rule under a condition
 * stays whole.
 */
export function takeGuideline(sentence: string): GuidedSentence {
  const isConditional = CONDITION.test(sentence);
  const introduced = isConditional ? null : takeIntroduced(sentence);
  if (introduced !== null) return introduced;
  if (!isGuideline(sentence)) return { stated: sentence, guideline: null };
  const reason = isConditional ? null : REASON_BEHIND.exec(sentence);
  const rule = sentence.slice(0, reason?.index);
  if (reason === null || !isGuideline(rule)) return { stated: '', guideline: sentence };
  return { stated: sentence.slice(reason.index + reason[0].length), guideline: rule };
}
