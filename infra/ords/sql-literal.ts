/** Characters of one literal at most: with each of them a quote that is doubled, half of Oracle's 4,000 bytes. */
const PIECE_LENGTH = 1_000;
const PLAIN = /^[ -~]$/;

/** Candidates for what stands for the end of a line; most texts have none of the first. */
const MARKS = [
  '~',
  '^',
  '`',
  '!',
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
];

/**
 * A text as an expression of SQL with the type CLOB, a literal a line. No line of the text begins or ends a line of the
 * script, so that no command character, semicolon or blank line of it means anything to SQLcl, and an editor that changes
 * ends of lines changes no text. What is not printable ASCII is written by its code, whatever the client's character set.
 *
 * @throws RangeError for a text of several lines that has every printable character
 */
export function clobLiteral(text: string): string {
  const lines = text.split('\n');
  if (lines.length === 1) return clobOf(lineLiterals(text));
  const mark = MARKS.find((character) => !text.includes(character) && character !== "'");
  if (mark === undefined) throw new RangeError('no character is left to stand for the ends of lines');
  const literals = lines.flatMap((line, index) => lineLiterals(index === 0 ? line : `${mark}${line}`));
  return `REPLACE(${clobOf(literals)}, '${mark}', CHR(10))`;
}

function clobOf([first = "''", ...others]: readonly string[]): string {
  return [`TO_CLOB(${first})`, ...others].join(' ||\n    ');
}

/** A short text, such as a name. @throws RangeError for one that needs more than one literal */
export function textLiteral(text: string): string {
  const [literal, ...others] = lineLiterals(text);
  if (literal === undefined || others.length > 0 || text.includes('\n')) {
    throw new RangeError('the text is not one literal');
  }
  return literal;
}

/** Runs of printable characters, and runs of others, no longer than a literal may be. */
function lineLiterals(line: string): readonly string[] {
  const literals: string[] = [];
  let run = '';
  let isPlain = true;
  const end = (): void => {
    if (run !== '')
      literals.push(isPlain ? `'${run.replaceAll("'", "''")}'` : `TO_CHAR(UNISTR('${codes(run)}'))`);
    run = '';
  };
  for (const character of line) {
    if (PLAIN.test(character) !== isPlain || run.length >= (isPlain ? PIECE_LENGTH : PIECE_LENGTH / 5)) end();
    isPlain = PLAIN.test(character);
    run += character;
  }
  end();
  return literals;
}

function codes(text: string): string {
  return Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
    .map((code) => `\\${code.toString(16).toUpperCase().padStart(4, '0')}`)
    .join('');
}
