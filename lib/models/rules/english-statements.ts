import { contentWords } from './content-words.ts';
import { dropFrame, dropOpener, splitClauses, takeGuideline } from './english-clauses.ts';
import { guidelineSlot, isGuideline } from './english-guidelines.ts';
import { possessiveRules } from './english-possessive-rules.ts';
import { inabilityRule, userRules } from './english-rules.ts';
import type { HiddenSentence } from './split-sentences.ts';
import type { Statement } from './statement.ts';
import type { StatementRule } from './statement-rule.ts';
import { expandContractions, toThirdPerson } from './third-person.ts';

/** A rule put as a polite question. */
const REQUEST = /^(?:please,? )?(?:can|could|would|will) you (?:please )?(?=(?:always|never)\b)/i;
const REMEMBER =
  /^(?:(?:please|can you|could you|do|also|and) )*(?:remember|do not forget|keep in mind|make a note|note down|save)(?: that|:)\s*/i;
const HYPOTHETICAL =
  /\b(?:if (?:I|you|we|he|she|they|only|it)|suppose|imagine|let(?:'|’)?s say|what if|hypothetical(?:ly)?|pretend|I wish|maybe|perhaps|might|for example|for instance|would have|could be|I would|I could|I guess|I wonder|I think about|joking|just kidding|a joke)\b/i;
const PREFERENCE_MOOD = /\bI would (?:rather|prefer|(?:like|love) to)\b/gi;
/** The user does not want it kept: `you don't need it`, `no need to remember that`. */
const NOT_TO_KEEP =
  /\b(?:(?:do not|no need to|need not) (?:need to |have to )?(?:remember|save|store|keep|note|record|memori[sz]e)|you (?:do not|will not) need) (?:it|this|that|them)(?=\s*(?:[.,;!]|$))|\boff the record\b/i;
const HEARSAY =
  /^(?:he|she|they|it|you|someone|people|my \p{L}+|\p{Lu}\p{L}+)(?: \p{L}+)? (?:said|says|say|claims?|claimed|thinks?|thought|told|wrote|believes?|asked)\b/iu;
const NEGATIVE =
  /\b(?:no longer|not|never|any ?more|any longer|used to|stopped|quit|gave up|left|resigned|hates?|hated|dislikes?|detests?|avoids?|cannot)\b/i;
const AUXILIARIES =
  /^(?:(?:no longer|do|does|did|not|never|always|usually|really|also|just|now|still|currently|actually|mostly|often|sometimes|rarely|absolutely|only|recently|generally|normally|typically|truly|strongly|definitely|especially|both|already|finally|used to|cannot|can|will|must|should|would(?! (?:like|love) to)|have to|has to|has(?= (?:been|moved|lived|worked|relocated|started|joined|switched|bought|become|quit|left|adopted|changed|got|stopped|always|never|now|just|recently|finally)))\s+)+/i;
const CONTRAST =
  /(?:(?<!\b(?:is|are|was|do|does|did|has|have|can|will|must|should|would))\s+not(?= \p{Lu})|,\s*(?:and\s+|but\s+)?not|\s+instead of|\s+rather than)\s[^,]*$/u;
const CORRECTED = /\bnot (?:in |at |to |for )?[^,]{1,40}?,? but (?:in |at |to |for )?/i;
/** `does not live in Rome but in Milan`. */
const CORRECTED_VERB =
  /\b(?:does|do|did) not (?<verb>\p{L}+ (?:in|at|for|to|with)) [^,]{1,40}?,? but (?:in|at|for|to|with) /u;
/** A clause behind the value that says why, or what follows from it. */
const CONSEQUENCE =
  /,?\s+(?:because|since|so|but|although|though|which|whenever|as long as)\b.*|,\s+(?:and|in case|please)\b.*/su;

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '');
}

function applyRules(
  rules: readonly StatementRule[],
  phrase: string,
  about: string,
  content: string,
): Statement | null {
  for (const rule of rules) {
    const match = rule.pattern.exec(phrase);
    if (match === null) continue;
    const what = match.groups?.what;
    return {
      type: rule.type,
      content,
      slot: what === undefined ? rule.slot : slug(`${rule.slot} ${what}`),
      isSingleValued: rule.isSingleValued,
      objects: contentWords(
        (match.groups?.object ?? phrase.replace(what ?? '', ''))
          .replace(CONSEQUENCE, '')
          .replace(/\b(?:any ?more|any longer)\b/gi, ''),
      ),
      isNegative: NEGATIVE.test(about.replace(CONSEQUENCE, '').replace(/,? and .*/su, '')),
      importance: rule.importance,
    };
  }
  return null;
}

/** Reads a clause about `User` (as this module writes it, or another model: `The user …`) as a statement; null when no rule fits. */
export function readThirdPerson(clause: string, content: string): Statement | null {
  const about = clause
    .replace(/^the user\b/i, 'User')
    .replace(CORRECTED_VERB, '$<verb> ')
    .replace(CORRECTED, '')
    .replace(CONTRAST, '');
  const possession = /^User['’]s\s+(.+)$/su.exec(about)?.[1];
  if (possession !== undefined) return applyRules(possessiveRules, possession, possession, content);
  const phrase = /^User\s+(.+)$/su.exec(about)?.[1];
  if (phrase === undefined) return null;
  const core = phrase
    .replace(AUXILIARIES, '')
    .replace(
      /^(is|has|been) (?:(?:not|now|still|also|currently|no longer|really|always|a lifelong) )+/i,
      '$1 ',
    );
  const isDenied = /^(?:can|do|does|did)\s*not\b|^(?:cannot|no longer)\b/i.test(phrase);
  if (/^cannot\b/i.test(phrase)) return applyRules([inabilityRule, ...userRules], core, phrase, content);
  return applyRules(isDenied ? [...userRules, inabilityRule] : userRules, core, phrase, content);
}

function endSentence(text: string): string {
  const plain = text.trim().replace(/[\s.!,;:]+$/u, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}

function readGuideline(sentence: string): Statement {
  const { slot, object } = guidelineSlot(sentence);
  return {
    type: 'guideline',
    content: endSentence(sentence),
    slot,
    isSingleValued: object !== undefined,
    objects: contentWords(object ?? sentence.replace(/\b(?:always|never|from now on|do not)\b/gi, '')),
    isNegative: object === undefined && NEGATIVE.test(sentence),
    importance: 5,
  };
}

/** What follows `call me` and says when or how, not what to say. */
const NO_NAME =
  /\b(?:back|later|when(?:ever)?|if|at|on|in|an?|the|any ?time|before|after|between|until|during|from|by|for|about|with|today|tonight|tomorrow|now|again|once|only|maybe|old|crazy|please)\b|\d/i;

function readNickname(sentence: string): Statement | null {
  const name = /^(?:you (?:can|may) |just )*call me ([^,.!]{1,40})/i.exec(sentence)?.[1];
  if (name === undefined || NO_NAME.test(name)) return null;
  const content = `User wants to be called ${name.trim()}.`;
  return {
    type: 'preference',
    content,
    slot: 'nickname',
    isSingleValued: true,
    objects: contentWords(name),
    isNegative: false,
    importance: 4,
  };
}

function readClause(clause: string): Statement | null {
  const plain = dropFrame(clause).replace(/[\s.!,;:]+$/u, '');
  const ownGroup = /^we\s+(.+)$/isu.exec(plain)?.[1];
  if (ownGroup !== undefined)
    return readThirdPerson(`User ${ownGroup.replace(/^are\b/, 'is')}`, endSentence(plain));
  const about = toThirdPerson(plain);
  return about === null ? null : readThirdPerson(about, endSentence(about));
}

function readStated(text: string): readonly Statement[] {
  if (HEARSAY.test(text) || HYPOTHETICAL.test(text.replace(PREFERENCE_MOOD, 'I '))) return [];
  const nickname = readNickname(text);
  if (nickname !== null) return [nickname];
  return splitClauses(text)
    .map(readClause)
    .filter((item) => item !== null);
}

function isDoubtful(text: string): boolean {
  return HEARSAY.test(text) || HYPOTHETICAL.test(text);
}

/** Statements that one English sentence of a user makes about the user, or asks to be kept. */
export function readEnglishSentence(sentence: HiddenSentence): readonly Statement[] {
  if (/[?？]\s*$/u.test(sentence.text) && !REQUEST.test(sentence.text)) return [];
  const opened = expandContractions(sentence.text)
    .replace(REQUEST, '')
    .replace(/\s*\?$/, '.');
  if (NOT_TO_KEEP.test(opened)) return [];
  const isToRemember = REMEMBER.test(opened.replace(/^(?:please|also|and)\s+/i, ''));
  const text = dropFrame(dropOpener(opened).replace(REMEMBER, ''));
  const restore = (statement: Statement): Statement => ({
    ...statement,
    content: sentence.restore(statement.content),
    objects: contentWords(sentence.restore([...statement.objects].join(' '))),
  });
  const { stated, guideline } = takeGuideline(text);
  const found = readStated(stated);
  if (guideline !== null && (stated === '' || !isDoubtful(stated)))
    return [...(isGuideline(stated) ? [readGuideline(stated)] : found), readGuideline(guideline)].map(
      restore,
    );
  if (found.length > 0 || !isToRemember || isDoubtful(stated)) return found.map(restore);
  return [
    restore({
      ...readGuideline(text),
      type: 'memory',
      slot: 'remembered',
      isSingleValued: false,
      importance: 4,
    }),
  ];
}
