/** Longest path text in a statement: a literal of Oracle SQL holds 4,000 bytes, and a path is ASCII by construction. */
export const JSON_PATH_LIMIT = 4_000;

/**
 * Member steps of a SQL/JSON path: `."color"."d\u0020e"`. The one place where names of the caller become part of a
 * text: paths cannot be bound. Every UTF-16 unit outside `[A-Za-z0-9_]` is written as `\uXXXX`, so no name can end the
 * quoted step, the literal or the line.
 */
export function jsonPathSteps(names: readonly string[]): string {
  return names.map((name) => `."${escapedName(name)}"`).join('');
}

function escapedName(name: string): string {
  let escaped = '';
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charAt(index);
    escaped += /\w/.test(unit) ? unit : `\\u${name.charCodeAt(index).toString(16).padStart(4, '0')}`;
  }
  return escaped;
}
