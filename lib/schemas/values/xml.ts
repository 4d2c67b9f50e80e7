import { ELLIPSIS } from './cut-text.ts';

/** Characters that no XML 1.0 document may hold (XML 1.0 §2.2), lone surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is about.
const FORBIDDEN = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu;

/**
 * `>` is escaped everywhere, so `]]>` never stands in text; a carriage return would be read as a line feed. Quotes mean
 * nothing between tags and stay readable.
 */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** Text as the content of an XML element; what XML forbids becomes U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(FORBIDDEN, '\uFFFD').replace(/[&<>\r]/g, (character) => ENTITIES[character] ?? '');
}

/** The beginning of a text that takes at most `limit` characters once it is escaped; a cut text ends in an ellipsis. */
export function cutToEscapedLength(text: string, limit: number): string {
  if (text.length <= limit && escapeXml(text).length <= limit) return text;
  let [end, length] = [0, ELLIPSIS.length];
  for (const character of text) {
    length += escapeXml(character).length;
    if (length > limit) break;
    end += character.length;
  }
  return `${text.slice(0, end)}${ELLIPSIS}`;
}

/** One line `<name>text</name>`. The name comes from a closed list of ours, never from a caller. */
export function xmlLine(indent: string, name: string, text: string): string {
  return `${indent}<${name}>${escapeXml(text)}</${name}>`;
}

/** An element around lines that are XML already; `<name></name>` without any. */
export function xmlBlock(indent: string, name: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [`${indent}<${name}></${name}>`];
  return [`${indent}<${name}>`, ...lines, `${indent}</${name}>`];
}
