/** Verbs and nouns whose forms follow no rule, one word a line. */
const IRREGULAR_WORDS = `
be am is are was were been being
become becomes became becoming
begin begins began begun beginning
bite bites bit bitten biting
break breaks broke broken breaking
bring brings brought bringing
build builds built building
buy buys bought buying
catch catches caught catching
child children
choose chooses chose chosen choosing
come comes came coming
cost costs costing
die dies died dying
do does did done doing
draw draws drew drawn drawing
drink drinks drank drunk drinking
drive drives drove driven driving
eat eats ate eaten eating
fall falls fell fallen falling
feel feels felt feeling
fight fights fought fighting
find finds found finding
fly flies flew flown flying
forget forgets forgot forgotten forgetting
foot feet
get gets got gotten getting
give gives gave given giving
go goes went gone going
grow grows grew grown growing
have has had having
hear hears heard hearing
hide hides hid hidden hiding
hold holds held holding
hurt hurts hurting
keep keeps kept keeping
know knows knew known knowing
lead leads led leading
leave leaves left leaving
leaf leaves
lend lends lent lending
life lives
lose loses lost losing
make makes made making
man men
mean means meant meaning
meet meets met meeting
mouse mice
pay pays paid paying
person persons people
put puts putting
read reads reading
ride rides rode ridden riding
ring rings rang rung ringing
rise rises rose risen rising
run runs ran running
say says said saying
see sees saw seen seeing
sell sells sold selling
send sends sent sending
sing sings sang sung singing
sit sits sat sitting
sleep sleeps slept sleeping
speak speaks spoke spoken speaking
spend spends spent spending
stand stands stood standing
steal steals stole stolen stealing
swim swims swam swum swimming
take takes took taken taking
teach teaches taught teaching
tell tells told telling
think thinks thought thinking
throw throws threw thrown throwing
tooth teeth
understand understands understood understanding
wake wakes woke woken waking
wear wears wore worn wearing
wife wives
win wins won winning
woman women
write writes wrote written writing`;

const IRREGULAR_FORMS = readIrregularForms();
const DOUBLED_END = /([bdfglmnprt])\1$/;
const SHORT_SYLLABLE_END = /(?:^|[^aeiou])[aeiou][bdfglmnprt]$/;
const SIBILANT_END = /(?:s|x|z|ch|sh|o)$/;

/**
 * The inflected forms of an English word, itself first: what a stemmer would index as one. Forms that no text holds do no
 * harm in a query. A word with other than ASCII letters, or a regular one shorter than three, has itself only.
 */
export function englishWordForms(word: string): readonly string[] {
  if (!/^[a-z]{3,}$/.test(word) && !IRREGULAR_FORMS.has(word)) return [word];
  const forms = new Set([word]);
  for (const base of baseForms(word)) {
    for (const form of IRREGULAR_FORMS.get(base) ?? regularForms(base)) forms.add(form);
  }
  return [...forms];
}

/** What the word may be a form of: itself, and itself without an ending. */
function baseForms(word: string): readonly string[] {
  if (IRREGULAR_FORMS.has(word)) return [word];
  const ending = /(?:ies|ied|ing|ed|ly|es|s)$/.exec(word)?.[0] ?? '';
  const stem = word.slice(0, word.length - ending.length);
  if (ending === '' || stem.length < 3) return [word];
  switch (ending) {
    case 'ies':
    case 'ied':
      return [`${stem}y`, `${stem}ie`];
    case 'ing':
    case 'ed':
      return [word, stem, `${stem}e`, ...(DOUBLED_END.test(stem) ? [stem.slice(0, -1)] : [])];
    case 'ly':
      return [word, stem];
    case 'es':
      return SIBILANT_END.test(stem) ? [stem, `${stem}e`] : [`${stem}e`];
    default:
      return /[suia]$/.test(stem) ? [word] : [stem];
  }
}

/** A base with the endings of nouns and verbs; one that already carries an ending takes the plural only. */
function regularForms(base: string): readonly string[] {
  if (/(?:ing|ed|ly)$/.test(base)) return [base, `${base}s`];
  if (/[^aeiou]y$/.test(base)) {
    const stem = base.slice(0, -1);
    return [base, `${stem}ies`, `${stem}ied`, `${base}ing`];
  }
  if (base.endsWith('e')) return [base, `${base}s`, `${base}d`, `${base.slice(0, -1)}ing`];
  const doubled = SHORT_SYLLABLE_END.test(base) ? `${base}${base.slice(-1)}` : undefined;
  return [
    base,
    SIBILANT_END.test(base) ? `${base}es` : `${base}s`,
    `${base}ed`,
    `${base}ing`,
    ...(doubled === undefined ? [] : [`${doubled}ed`, `${doubled}ing`]),
  ];
}

function readIrregularForms(): ReadonlyMap<string, readonly string[]> {
  const forms = new Map<string, readonly string[]>();
  for (const line of IRREGULAR_WORDS.trim().split('\n')) {
    const words = line.split(' ');
    for (const word of words) forms.set(word, [...(forms.get(word) ?? []), ...words]);
  }
  return forms;
}
