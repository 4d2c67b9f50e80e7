/** The value of an expression of `clobLiteral` or `textLiteral`, by Oracle's rules for literals. */
export function readLiteral(expression: string): string {
  return [...expression.matchAll(/'((?:[^']|'')*)'|CHR\((\d+)\)/g)]
    .map(([piece, literal = '', code]) => {
      if (code !== undefined) return String.fromCharCode(Number(code));
      const text = literal.replaceAll("''", "'");
      const isUnicode = expression.includes(`UNISTR(${piece})`);
      return isUnicode ? text.replace(/\\([0-9A-F]{4})/g, (_match, hex: string) => unit(hex)) : text;
    })
    .join('');
}

const unit = (hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
