/** The comma of `4,000`. */
const DIGIT_GROUP = /(?<=\d),(?=\d{3}\b)/g;
const FILLERS = new Set(
  'a an any the and or of to in on at for with my their his her your is are am was be been not no any more anymore longer now very really much so too also just currently these days user users it its me please over than rather'.split(
    ' ',
  ),
);

function toSingular(word: string): string {
  if (word.length <= 3 || !/[^s]s$/.test(word)) return word;
  return word.endsWith('ies') && word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1);
}

/** Content words of a value: lower-cased, a plural like its singular. */
export function contentWords(text: string): ReadonlySet<string> {
  const words =
    text
      .replace(DIGIT_GROUP, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{M}\p{Co}'’+#.-]*/gu) ?? [];
  return new Set(
    words
      .map((word) => word.replace(/[.'’-]+$/u, '').replace(/['’]s$/u, ''))
      .filter((word) => !FILLERS.has(word))
      .map(toSingular),
  );
}
