import { keywordText } from './keyword-text.ts';

/** Tokens of one query. Oracle Text weighs every further one; beyond these a long text finds nothing else. */
const TOKEN_LIMIT = 64;
/** Oracle Text indexes at most 255 bytes of a token; 60 characters are at most 240. */
const TOKEN_LENGTH_LIMIT = 60;
const TOKEN = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/**
 * The Oracle Text query of free text: each distinct word in braces, any of them counts (`{a} ACCUM {b}`). Braces make
 * operators and reserved words plain text (Oracle Text Reference, "Special Characters in Oracle Text Queries"), and a
 * token holds letters, digits and marks only, so nothing of the caller is read as syntax.
 *
 * @returns undefined when the text has no word: then there is nothing to search for
 */
export function textQuery(text: string): string | undefined {
  const tokens = new Set<string>();
  for (const [token] of keywordText(text).matchAll(TOKEN)) {
    tokens.add([...token.toLowerCase()].slice(0, TOKEN_LENGTH_LIMIT).join(''));
    if (tokens.size === TOKEN_LIMIT) break;
  }
  if (tokens.size === 0) return undefined;
  return [...tokens].map((token) => `{${token}}`).join(' ACCUM ');
}
