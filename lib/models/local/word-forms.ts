/** Forms to look up for a word that the table does not know, the most likely first: without accents, then without endings. */
export function* baseForms(word: string): Generator<string> {
  const plain = word.normalize('NFD').replace(/\p{M}+/gu, '');
  if (plain !== word) yield plain;
  for (const [ending, replacements] of ENDINGS) {
    const stem = plain.slice(0, -ending.length);
    if (!plain.endsWith(ending) || stem.length < 3) continue;
    for (const replacement of replacements) yield stem + replacement;
    if (DOUBLED_END.test(stem)) yield stem.slice(0, -1);
  }
}

const DOUBLED_END = /([bdfglmnprt])\1$/;

/** English inflections, longest ending first, with what may stand in their place. */
const ENDINGS: readonly (readonly [ending: string, replacements: readonly string[]])[] = [
  ['iest', ['y']],
  ['ing', ['', 'e']],
  ['ies', ['y', 'ie']],
  ['ied', ['y']],
  ['ier', ['y']],
  ['ily', ['y']],
  ['est', ['', 'e']],
  ['es', ['', 'e']],
  ['ed', ['', 'e']],
  ['er', ['', 'e']],
  ['ly', ['', 'le']],
  ['s', ['']],
];
