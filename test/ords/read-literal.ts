/** The value of an expression of `clobLiteral` or `textLiteral`, by Oracle's rules for literals and REPLACE. */
export function readLiteral(expression: string): string {
  const [, inner, mark] = /^REPLACE\(([\s\S]*), '(.)', CHR\(10\)\)$/.exec(expression.trim()) ?? [];
  const text = [...(inner ?? expression).matchAll(/(UNISTR\()?'((?:[^']|'')*)'/g)]
    .map(([, unicode, literal = '']) => {
      const value = literal.replaceAll("''", "'");
      return unicode === undefined ? value : value.replace(/\\([0-9A-F]{4})/g, (_match, hex) => unit(hex));
    })
    .join('');
  return mark === undefined ? text : text.replaceAll(mark, '\n');
}

const unit = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
