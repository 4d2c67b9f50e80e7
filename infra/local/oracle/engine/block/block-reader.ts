import { OracleError } from '../../sql/oracle-error.ts';
import { parseCondition } from '../../sql/parser/parse-condition.ts';
import { TokenReader } from '../../sql/parser/token-reader.ts';
import { isReservedWord } from '../../sql/reserved-words.ts';
import { type Token, tokenize } from '../../sql/tokenizer.ts';
import type { BlockExpression } from './block-syntax.ts';
import { compileError, wrapCompileError } from './compile-error.ts';

/** Reads the tokens of a PL/SQL block or function; errors are ORA-06550 with PLS-00103 and the position. */
export class BlockReader {
  readonly text: string;
  /** The text is that of a stored function, which has values to return, functions inside and types of PL/SQL alone. */
  readonly isFunction: boolean;
  readonly #tokens: readonly Token[];
  /** Loop records in scope: `r.id` inside such a loop is one name. */
  readonly #records: string[] = [];
  #position = 0;

  constructor(text: string, isFunction = false) {
    this.text = text;
    this.isFunction = isFunction;
    this.#tokens = tokenize(text);
  }

  get token(): Token {
    return this.peek(0);
  }

  peek(ahead: number): Token {
    const token = this.#tokens[this.#position + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) {
      throw new OracleError(900, 'invalid SQL statement');
    }
    return token;
  }

  next(): Token {
    const token = this.token;
    this.#position += 1;
    return token;
  }

  at(...words: readonly string[]): boolean {
    return words.every((word, index) => {
      const token = this.peek(index);
      return token.kind === 'word' && token.value === word;
    });
  }

  atOperator(operator: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'operator' && token.value === operator;
  }

  accept(...words: readonly string[]): boolean {
    if (!this.at(...words)) {
      return false;
    }
    this.#position += words.length;
    return true;
  }

  acceptOperator(operator: string): boolean {
    const found = this.atOperator(operator);
    if (found) {
      this.#position += 1;
    }
    return found;
  }

  expect(...words: readonly string[]): void {
    for (const word of words) {
      if (!this.accept(word)) {
        this.unexpected(word);
      }
    }
  }

  expectOperator(operator: string): void {
    if (!this.acceptOperator(operator)) {
      this.unexpected(operator);
    }
  }

  /** A name of a variable, loop index or exception. */
  name(): string {
    const token = this.token;
    if (token.kind !== 'word' || isReservedWord(token.value)) {
      this.unexpected('an identifier');
    }
    this.#position += 1;
    return token.value;
  }

  textLiteral(): string {
    const token = this.token;
    if (token.kind !== 'text') {
      this.unexpected('a string literal');
    }
    this.#position += 1;
    return token.value;
  }

  /** An expression up to one of the given words or operators outside parentheses and CASE, which is not consumed. */
  expressionUntil(...ends: readonly string[]): BlockExpression {
    const { offset } = this.token;
    const text = this.#textUntil(new Set(ends), true);
    try {
      const reader = new TokenReader(text);
      const tree = parseCondition(reader);
      if (reader.peek().kind !== 'end') {
        reader.fail(900);
      }
      return { text, tree, offset };
    } catch (error) {
      throw error instanceof OracleError ? wrapCompileError(this.text, offset, error, 'expression') : error;
    }
  }

  /** SQL text up to the semicolon that ends it; the semicolon is consumed. */
  statementText(): string {
    const text = this.#textUntil(new Set([';']), false);
    this.expectOperator(';');
    return text;
  }

  /** SQL text up to the parenthesis that closes the open one; the parenthesis is consumed. */
  parenthesizedText(): string {
    const text = this.#textUntil(new Set([')']), false);
    this.expectOperator(')');
    return text;
  }

  withRecord<Result>(record: string, read: () => Result): Result {
    this.#records.push(record);
    const result = read();
    this.#records.pop();
    return result;
  }

  unexpected(expected: string): never {
    const symbol = this.token.kind === 'end' ? 'end-of-file' : this.token.text;
    throw compileError(
      this.text,
      this.token.offset,
      `PLS-00103: Encountered the symbol "${symbol}" when expecting one of the following:\n\n   ${expected}\n`,
    );
  }

  unsupported(what: string): never {
    throw compileError(
      this.text,
      this.token.offset,
      `PLS-00103: Encountered the symbol "${this.token.text}": the emulator does not support ${what} in a ${this.isFunction ? 'function' : 'block'}`,
    );
  }

  #textUntil(ends: ReadonlySet<string>, attributes: boolean): string {
    const start = this.token.offset;
    let depth = 0;
    let cases = 0;
    const dots: number[] = [];
    while (depth > 0 || cases > 0 || !this.#atEnd(ends)) {
      const token = this.next();
      if (token.kind === 'end') {
        this.unexpected([...ends].join(' '));
      }
      depth += token.value === '(' && token.kind === 'operator' ? 1 : 0;
      depth -= token.value === ')' && token.kind === 'operator' ? 1 : 0;
      cases += token.value === 'CASE' && token.kind === 'word' ? 1 : 0;
      cases -= token.value === 'END' && token.kind === 'word' && cases > 0 ? 1 : 0;
      if (this.#joinsNames(token, attributes)) {
        dots.push(this.token.offset);
      }
    }
    const end = this.#tokens[this.#position - 1]?.end ?? start;
    if (end <= start) {
      this.unexpected('an expression');
    }
    return joined(this.text, start, end, dots);
  }

  #atEnd(ends: ReadonlySet<string>): boolean {
    const { kind, value } = this.token;
    return (kind === 'word' || kind === 'operator') && ends.has(value);
  }

  /** True before the `.` of a loop record's field and before the `%` of `SQL%ROWCOUNT`. */
  #joinsNames(token: Token, attributes: boolean): boolean {
    if (token.kind !== 'word' || this.peek(1).kind !== 'word') {
      return false;
    }
    return (
      (this.atOperator('.') && this.#records.includes(token.value)) ||
      (attributes && this.atOperator('%') && token.value === 'SQL')
    );
  }
}

/** The text with a `$` in place of each joining character, so that every offset stays. */
function joined(text: string, start: number, end: number, joints: readonly number[]): string {
  let result = '';
  let from = start;
  for (const joint of joints) {
    result += `${text.slice(from, joint)}$`;
    from = joint + 1;
  }
  return result + text.slice(from, end);
}
