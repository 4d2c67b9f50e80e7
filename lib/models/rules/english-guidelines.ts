const ANSWERING =
  'answer|reply|respond|use|write|call|address|speak|format|keep|avoid|stop|do not|include|start|end|send|check|ask|show|tell|give|translate|remind|explain|be|provide|make|sign|put|run|never|always';
const NOT_A_RULE =
  /^(?:never mind|never again|never heard|always (?:a pleasure|happy|glad|nice|has|had|have|was|were|is|been))\b/i;

const CONTACT = '(?:call|contact|phone|ring|text|message|reach|disturb|wake)';
const CLOCK_TIME =
  '(?:\\d|noon|midnight|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|work|lunch|breakfast|dinner)\\b';
/** When the assistant may get in touch: `You can call me any time after nine.` */
const CONTACT_TIME = new RegExp(
  `^(?:(?:you (?:can|may|should) )?(?:always|never|only|do not ever) ${CONTACT} me (?:up )?|you (?:can|may|are welcome to) ${CONTACT} me (?=(?:any ?time|always|only|on (?:weekdays|weekends|\\p{L}+days))\\b))(?<time>(?:any ?time|only|always|on \\p{L}+s|at night|(?:before|after|between|from|until) (?:about |around )?\\d*${CLOCK_TIME})\\b.*)`,
  'iu',
);

const RULES: readonly RegExp[] = [
  /^(?:always|never|from now on|going forward|in (?:the )?future|from here on|make sure|be sure to|do not ever|under no circumstances|at all times)\b/i,
  /\b(?:from now on|going forward|at all times|in all (?:your )?(?:answers|replies|responses))\s*$/i,
  /\byou (?:must|should|have to|need to|may|can) (?:always|never|only)\b/i,
  /^(?:do not|avoid|keep|use|write|answer|reply|respond|stop|refrain|limit|format|translate)\b.*\b(?:your|all|future|every) (?:answers?|replies|reply|responses?|messages?|e-?mails?|reports?|outputs?|examples?|code)\b/i,
  new RegExp(
    `^(?:when(?:ever)?|if|every time|each time) (?:I|you|we|someone|a|the)\\b[^,]*,\\s*(?:please |then |you should )*(?:${ANSWERING})\\b`,
    'i',
  ),
  new RegExp(
    `^I (?:want|need|expect|would like|would love|would prefer) you to (?:(?:always|never)\\b|(?:${ANSWERING})\\b.*\\b(?:always|never|your|every|all|from now on|when(?:ever)?)\\b)`,
    'i',
  ),
  /^(?:our|the|my|company|team|house) (?:[\p{L}]+ )?(?:rule|policy|convention|guideline) is\b/iu,
  /^we (?:always|never)\b/i,
  CONTACT_TIME,
  /^(?:[Aa]nswer|[Rr]eply|[Rr]espond|[Ss]peak|[Ww]rite|[Tt]alk)\b[^,]* in \p{Lu}\p{L}{3,}\s*[.!]*$/u,
];

/** Whether a sentence, `please` removed and contractions written out, states a lasting rule for the assistant. */
export function isGuideline(sentence: string): boolean {
  return !NOT_A_RULE.test(sentence) && RULES.some((rule) => rule.test(sentence));
}

/** What a rule is about; rules about one of the named things replace each other. */
export function guidelineSlot(sentence: string): {
  readonly slot: string;
  readonly object: string | undefined;
} {
  const language = /\b(?:answer|reply|respond|write|speak|talk)\b.*?\bin (\p{Lu}\p{L}{3,})/iu.exec(
    sentence,
  )?.[1];
  if (language !== undefined && /^\p{Lu}/u.test(language))
    return { slot: 'answer-language', object: language };
  const length =
    /\b(?:answers?|repl(?:y|ies)|responses?|respond)\b.*\b(short|brief|briefly|concise|concisely|long|detailed|verbose)\b/i.exec(
      sentence,
    )?.[1];
  if (length !== undefined) return { slot: 'answer-length', object: length };
  const time = CONTACT_TIME.exec(sentence)?.groups?.time;
  return time === undefined
    ? { slot: 'guideline', object: undefined }
    : { slot: 'contact-time', object: time };
}
