import { date, named, nounPhrase, quantity } from './english-noun-phrase.ts';
import { rule, type StatementRule } from './statement-rule.ts';

const RELATIVES =
  'wife|husband|spouse|partner|sisters?|brothers?|mother|father|mom|mum|dad|sons?|daughters?|kids?|child|children|parents|dogs?|cats?|pet|boss|manager|best friend|girlfriend|boyfriend|fianc[eé]e?|grand\\p{L}+|uncle|aunt|cousin|niece|nephew|family|roommate|flatmate|doctor|dentist|twins?';
const ATTRIBUTES =
  'birthday|phone(?: number)?|e-?mail(?: address)?|address|time ?zone|age|job(?: title)?|role|hobb(?:y|ies)|goal|budget|shoe size|size|blood type|(?:native|first) language|mother tongue|hometown|nationality|religion|profession|occupation|company|employer|car|project|deadline|diet|username|handle|editor|laptop|pronouns|anniversary|nickname|surname|schedule|commute|dream|allerg(?:y|ies)';

const CHANGED = '(?:changed|raised|lowered|increased|reduced|cut|moved|postponed|extended|set)';
const PARTICIPLES =
  '\\p{L}{2,}ed|broken|stolen|sold|rebuilt|born|found|lost|bought|cut|torn|given|taken away|burnt';

/** Rules over what follows `User's`. */
export const possessiveRules: readonly StatementRule[] = [
  rule('name', /^(?:full |first |last |real )?name is\s+(?<object>.+)/u, {
    isSingleValued: true,
    importance: 5,
  }),
  rule(
    'favourite',
    /^(?:all-time )?favou?rite (?<what>[\p{L} -]{2,40}?) (?:is|are|has always been)\s+(?<object>.+)/u,
    {
      type: 'preference',
      isSingleValued: true,
    },
  ),
  rule('allergy', /^allerg(?:y|ies) (?:is|are|includes?) (?:to )?(?<object>.+)/u, { importance: 5 }),
  rule(
    'name-of',
    new RegExp(`^(?<what>${RELATIVES})(?:'s name)? (?:is|are)(?: called| named) (?<object>.+)`, 'u'),
    {
      isSingleValued: true,
      importance: 4,
    },
  ),
  rule('name-of', new RegExp(`^(?<what>${RELATIVES})'s name is (?<object>.+)`, 'u'), {
    isSingleValued: true,
    importance: 4,
  }),
  rule(
    'home-of',
    new RegExp(
      `^(?<what>${RELATIVES}) (?:lives?|moved|is living|resides) (?:in|to|at|near) (?<object>.+)`,
      'u',
    ),
    { isSingleValued: true },
  ),
  rule(
    'attribute',
    new RegExp(
      `^(?<what>(?:[\\p{L}-]+ ){0,2}(?:${ATTRIBUTES})) (?:(?:is|are)(?: now)?|(?:has )?changed to)\\s+(?!(?:broken|slow|late|dead|down|gone|ready|fine|ok|okay|not working|delayed|full|empty)\\b)(?<object>.+)`,
      'u',
    ),
    {
      isSingleValued: true,
    },
  ),
  rule(
    'relative',
    new RegExp(
      `^(?<what>${RELATIVES})\\b,? (?:\\S.* )?(?:is|are|has|have|was|were|works?|plays?|likes?|loves?|hates?|studies|speaks?|died|passed|got|started|goes|starts?|wants?|turned|turns|prefers?|does|owns?|runs?)\\b.*`,
      'u',
    ),
  ),
  rule('name-of', new RegExp(`^${named}`, 'u'), { isSingleValued: true, importance: 4 }),
  rule(
    'attribute',
    new RegExp(
      `^${nounPhrase()} (?:(?:is|are|will be)(?: now)?|(?:has |have |was |were |got )?(?:been )?${CHANGED} to|(?:went|has gone) (?:up|down) to) (?:now |about |around |roughly |only )*${quantity}`,
      'u',
    ),
    { isSingleValued: true },
  ),
  rule(
    'date-of',
    new RegExp(
      `^${nounPhrase(' (?:expires?|runs? out|starts?|begins?|ends?|opens?|closes?|renews?|lasts?|costs?|departs?|arrives?|leaves?)')} ${quantity}`,
      'u',
    ),
    { isSingleValued: true },
  ),
  rule(
    'happening',
    new RegExp(
      `^${nounPhrase()} (?:was|were|has been|have been|got) (?<object>(?:${PARTICIPLES})\\b[^,]*${date}.*)`,
      'u',
    ),
  ),
];
