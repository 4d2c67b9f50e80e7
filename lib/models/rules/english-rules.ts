import { nounPhrase, quantity } from './english-noun-phrase.ts';
import { rule, type StatementRule } from './statement-rule.ts';

/** Objects that point at the conversation itself; such a sentence is a reaction, no memory. */
const NOT_A_REACTION =
  '(?!(?:it|that|this|your|you|the way|how|these|those|them|what|the (?:following|above|answer|idea|plan|server|errors?|output|code|problem|tests?|scripts?|command|build|migration|program|app|files?|docs|document|query|logs?))\\b)';
const GOALS =
  'learn|become|visit|travel|move|buy|plan(?= (?:an?|their) )|take(?= (?:an?|the) (?:[\\p{L}-]+ ){0,3}(?:course|class|lesson|exam|trip|sabbatical|year off)s?\\b)|live(?= (?:in|near) \\p{Lu}| abroad\\b)|start(?= (?:an?|their own|[\\p{L}]+ing)\\b)|stop(?= \\p{L}+ing\\b)|quit|lose|run|study|write a|build(?= (?:an?|their) )|get(?= (?:an? (?:new )?(?:job|dog|cat|pet|degree|promotion|licen[cs]e|tattoo|house|flat|car)|better|fit|fitter|into|married|in shape|certified|promoted|out of)\\b)|marry|retire|eat|save|read|improve|adopt|speak|swim|open(?= (?:an?|their own) )|launch';
const CONDITIONS =
  'diabet|asthma|migraine|pregnan|blind|deaf|adhd|autis|dyslex|arthritis|hypertension|blood pressure|celiac|coeliac|epilep|insomnia|anxiety|depress|disab|wheelchair|cancer|eczema';

/** What the user cannot or does not do, where no other rule says more. */
export const inabilityRule: StatementRule = rule(
  'inability',
  /^(?:eat|drink|swim|drive|tolerate|hear|see|walk|ride|cook|smoke|touch)\b(?<object>.*)/u,
  { importance: 4 },
);

/** Rules over the verb phrase of `User …`, auxiliaries, adverbs and negations removed. The first that matches decides. */
export const userRules: readonly StatementRule[] = [
  rule(
    'home',
    /^(?:(?:is|been) (?:living|based|located)|lives?|lived|resides?|moved|moving|relocated|is (?:moving|relocating))\s+(?:back\s+)?(?:from [\p{L} ]+? )?(?:in|to|at|near|outside)\s+(?<object>.+)/u,
    { isSingleValued: true, importance: 4 },
  ),
  rule(
    'origin',
    /^(?:is (?:originally )?from|comes? (?:originally )?from|came from|was born (?:in|on)|grew up in)\s+(?<object>.+)/u,
    { isSingleValued: true },
  ),
  rule(
    'role',
    /^(?:(?:is|been|started) (?:working|employed)|works?|worked|got an? (?:new )?job|is employed) as (?:an? |the )?(?<object>.+)/u,
    { isSingleValued: true, importance: 4 },
  ),
  rule('role', /^is (?:an? |the )(?<object>[\p{L} -]{3,40} (?:at|for) (?:the )?\p{Lu}.*)/u, {
    isSingleValued: true,
    importance: 4,
  }),
  rule(
    'employer',
    /^(?:(?:(?:is|been|started) (?:working|employed)|works?|worked|started|got a job) (?:at|for|with)|joined|(?:left|quit|resigned from) (?:their (?:job|position|role) (?:at|with)|working (?:at|for)))\s+(?!home\b)(?<object>.+)/u,
    { isSingleValued: true, importance: 4 },
  ),
  rule(
    'diet',
    /^(?:is|became|went|turned|eats?)\s+(?:an? |strictly |mostly )*(?<object>(?:vegetarian|vegan|pescatarian|flexitarian|omnivore|keto|kosher|halal|gluten-free)\b.*)/u,
    { isSingleValued: true, importance: 4 },
  ),
  rule(
    'allergy',
    /^(?:is|has|have|became|developed)\s+(?=.*\b(?:allerg|intoleran))(?:an? |severely |very |highly |mildly )*(?:allergic to |intolerant to |intolerant of )?(?<object>.+)/u,
    { importance: 5 },
  ),
  rule(
    'working-hours',
    /^(?<what>starts?|begins?|finish(?:es)?|ends?|stops?) (?:work|working|school|their (?:day|shift)) (?<object>(?:at|around|by|after|before|between) (?!.*\b(?:today|tomorrow)\b).+)/u,
    { isSingleValued: true },
  ),
  rule(
    'schedule',
    /^(?:has|have|works?)\s+(?!(?:questions?|problems?|issues?|doubts?|trouble)\b)(?<object>(?:[\p{L}-]+ ){0,3}?(?:shifts?|class(?:es)?|lessons?|lectures|training|rehearsals?|therapy|dialysis|physiotherapy|exams|custody)(?=$|,|\s+(?:until|till|every|each|on|from|at|twice|once|again|this|next|in the (?:morning|afternoon|evening)s?)\b).*)/u,
  ),
  rule(
    'height',
    /^is (?:about |around |exactly |only )*(?<object>\d[\d.,'’]*\s?(?:m|cm|met(?:er|re)s?|ft|foot|feet)\b[^,]{0,20}? tall\b|\d['’]\d{0,2}\S* tall\b)/u,
    { isSingleValued: true },
  ),
  rule('weight', /^weighs?\s+(?<object>(?:about |around )?\d.+)/u, { isSingleValued: true }),
  rule(
    'attribute',
    new RegExp(
      `^(?:changed|raised|lowered|increased|reduced|cut|set|moved|postponed|extended) their ${nounPhrase()} (?:from [^,]{1,40}? )?to ${quantity}`,
      'u',
    ),
    { isSingleValued: true },
  ),
  rule('name', /^(?:is called|is named|goes by)\s+(?<object>.+)/u, { isSingleValued: true, importance: 5 }),
  rule('age', /^(?:is|turned|turns)\s+(?<object>\d{1,3})(?:\s+years? old\b.*|(?:\s+years?)?$|(?=, \p{L}))/u, {
    isSingleValued: true,
  }),
  rule(
    'marital-status',
    /^(?:is|got|was|been)\s+(?:happily |recently )?(?<object>married|single|divorced|engaged|widowed|separated)\b/u,
    { isSingleValued: true },
  ),
  rule(
    'health',
    new RegExp(`^(?:(?:is|has|have|takes?)\\b(?=.*(?:${CONDITIONS}))|suffers? from)\\s*(?<object>.+)`, 'u'),
    {
      importance: 5,
    },
  ),
  rule('prefer', /^(?:prefers?|preferred|rather|prefer)\s+(?<object>.+)/u, { type: 'preference' }),
  rule(
    'like',
    new RegExp(
      `^(?:likes?|loves?|enjoys?|adores?|hates?|dislikes?|detests?|stand|favou?rs?|avoids?|is (?:an? )?(?:huge |big )?fan of|is (?:very |really )?(?:fond of|into|keen on|crazy about|passionate about))\\s+${NOT_A_REACTION}(?<object>.+)`,
      'u',
    ),
    { type: 'preference' },
  ),
  rule(
    'plan',
    new RegExp(
      `^(?:(?:wants?|plans?|hopes?|intends?|would like|would love) to|is (?:planning|hoping) to) (?<object>(?:learn(?: how)? to |(?:${GOALS})\\s+${NOT_A_REACTION}).+)`,
      'u',
    ),
  ),
  rule(
    'activity',
    /^is (?<object>(?:learning|studying|training for|planning (?:an?|our|their)|using|fluent in|on (?:an?|the) [\p{L}]+ plan|saving (?:up )?for|writing an?|building|working on|trying to (?:learn|lose|quit|eat|save|get|become|stop)|expecting|responsible for|in charge of|interested in|afraid of|scared of|good at|bad at|getting married)\b.+)/u,
  ),
  rule('identity', /^is (?:an?|the) (?!bit\b|little\b|lot\b|tad\b|while\b|bug\b|question\b)(?<object>.+)/u),
  rule(
    'trait',
    /^is (?<object>(?:(?:left|right)-handed|retired|unemployed|self-employed|colou?r-?blind|(?:half |part )?\p{Lu}\p{L}{2,})(?: and \p{Lu}?\p{L}+)?)$/u,
  ),
  rule(
    'possession',
    /^(?:has|have|owns?|got|drives?|rents?|keeps?|bought|adopted)\s+(?:an?|one|two|three|four|five|\d+|no|several|many|some)\s+(?!appointments?\b|failures?\b|questions?\b|problems?\b|issues?\b|doubts?\b|requests?\b|ideas?\b|meeting\b|call\b|minute\b|moment\b|feeling\b|look\b|headache\b|cold\b|errors?\b|bugs?\b|favou?r\b|great\b|good\b|nice\b|lot\b|few\b|hard\b|hunch\b|quick\b|class\b|function\b|table\b|list\b|script\b|file\b|component\b|variable\b|array\b)(?<object>.+)/u,
  ),
  rule('language', /^speaks?\s+(?<object>.+)/u),
  rule(
    'habit',
    new RegExp(
      `^(?:uses?|drinks?|eats?|plays?|stud(?:y|ies)|practi[sc]es?|collects?|runs?|manages?|leads?|teach(?:es)?|writes?|builds?|commutes?|travels?|wears?|smokes?|reads?|watch(?:es)?|cooks?|bakes?|swims?|cycles?|sleeps?|wakes?|gets? up|goes (?:to|for)|listens? to|volunteers?|trains?|attends?|follows?|takes?|codes?|programs?|develops?|designs?|sings?|paints?|supports?|belongs? to|celebrates?|works?|smokes?)(?:$|\\s+${NOT_A_REACTION}(?<object>.*))`,
      'u',
    ),
  ),
  rule(
    'event',
    new RegExp(
      `^(?!.*\\b(?:errors?|exception|warning|bugs?|crash|stack trace|answer|reply)\\b)(?:bought|sold|adopted|married|graduated|quit|retired|visited|finished|started|broke|lost|met|got (?:married|divorced|engaged|promoted|fired|hired|an? )|became|switched|changed|stopped|gave up|left|passed|won|published|founded|travell?ed|learned|studied|enrolled|was (?:promoted|fired|diagnosed|hired|married)|ran|completed|earned|had (?:surgery|a baby|an operation))(?:$|\\s+${NOT_A_REACTION}(?<object>.*))`,
      'u',
    ),
  ),
];
