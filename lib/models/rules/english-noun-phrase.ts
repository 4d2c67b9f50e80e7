/** Nouns for parts of the conversation or of work in hand; what is said of them does not last. */
const OF_THE_MOMENT =
  'question|problem|issue|point|idea|guess|answer|reply|opinion|concern|understanding|thought|message|request|quer(?:y|ie)|code|script|program|app|application|server|service|database|table|column|function|test|build|file|folder|output|input|result|error|bug|branch|commit|repository|repo|computer|screen|internet|connection|version|mistake|feeling|impression|suggestion|sentence|text|prompt|essay|document|draft|example|mood|head|battery|order|ticket|package|turn|choice|score|log|page|website|site|line|list|printer|meeting|appointment|call';
/** What nobody should keep. */
const SECRETS =
  'password|passcode|passphrase|pin|PIN|cvv|CVV|cvc|CVC|secret|token|(?:api|API) key|private key|card number';
/** People have rules of their own; two things said of a person seldom replace each other. */
const PEOPLE =
  'friend|colleague|co-?worker|neighbou?r|teacher|coach|landlord|therapist|baby|team|client|customer|student|boss|manager|sister|brother|mother|father|mom|mum|dad|son|daughter|wife|husband|partner|parent|cousin|aunt|uncle|kid|dog|cat|pet|twin|niece|nephew';
const WORD =
  "(?!(?:the|an?|that|this|it|what|who|which|is|are|was|were|has|had|will|and|or|not|says?|thinks?)\\b)[\\p{L}\\p{M}'’-]+";
const MONTH = '(?:January|February|March|April|May|June|July|August|September|October|November|December)';
const WEEKDAY = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?';
const PASSING =
  '\\b(?:today|tonight|tomorrow|yesterday|right now|at the moment|this (?:morning|afternoon|evening)|wrong|correct|because of)\\b';

/** A date: a month, a weekday, a year, or a day of the month. */
export const date = `(?:${MONTH}|${WEEKDAY}|\\b\\d{4}\\b|\\d{1,2}(?:st|nd|rd|th)\\b|last (?:week|weekend|month|year|spring|summer|autumn|fall|winter))`;

/** A value that can be compared with a later one: it has a number or a date, and is not only of today. */
export const quantity = `(?=[^,]*(?:\\d|${MONTH}|${WEEKDAY}))(?![^,]*${PASSING})(?<object>.+)`;

/** A name for anything that lasts, as in `teacher is called Yuki`. */
export const named = `(?<what>(?!(?:[\\p{L}-]+ ){0,2}(?:${OF_THE_MOMENT})s?\\b)${WORD}(?: ${WORD}){0,2}?)(?:['’]s name is|(?: is| are)(?: called| named)) (?<object>\\p{Lu}.*)`;

/**
 * A thing of the user's that lasts: up to three words and one phrase that narrows them (`budget for the whole trip`),
 * captured as `what` together with the words of `verb`, a pattern of its own.
 */
export function nounPhrase(verb = ''): string {
  const head = `(?!(?:[\\p{L}-]+ ){0,3}(?:${OF_THE_MOMENT}|${SECRETS}|${PEOPLE})s?\\b(?!['’]s))${WORD}(?: ${WORD}){0,2}?`;
  const narrowed = `(?: (?:for|of|to|in|at|with|from|on) (?:(?:the|an?|their|this|that) )?${WORD}(?: ${WORD}){0,2}?)?`;
  return `(?<what>${head}${narrowed}${verb})`;
}
