const UNSPACED = '[\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}]';
const BOUNDARY = new RegExp(`(?<=${UNSPACED})(?=[\\p{L}\\p{N}])|(?<=[\\p{L}\\p{N}])(?=${UNSPACED})`, 'gu');

/**
 * Text as the text index reads it: composed letters, and a space around each character of the scripts that are written
 * without spaces. Oracle Text's default lexer takes a run of letters as one word, so that a Chinese or Japanese word
 * inside a sentence would never be found; other lexers may need a role that the store's user does not have.
 */
export function keywordText(text: string): string {
  return text.normalize('NFC').replace(BOUNDARY, ' ');
}
