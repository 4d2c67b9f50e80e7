/** Stands where a text was cut. */
export const ELLIPSIS = '…';

/** A text of at most `limit` characters (UTF-16 code units): a longer one ends in an ellipsis, never in half a character. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const beginning = text.slice(0, Math.max(0, limit - ELLIPSIS.length));
  return `${beginning.isWellFormed() ? beginning : beginning.slice(0, -1)}${ELLIPSIS}`;
}
