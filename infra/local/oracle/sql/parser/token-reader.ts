import { OracleError } from '../oracle-error.ts';
import { isReservedWord } from '../reserved-words.ts';
import type { Identifier } from '../syntax-tree.ts';
import { type Token, tokenize } from '../tokenizer.ts';

/** Texts of the syntax errors that several places raise. */
const SYNTAX_ERRORS: Readonly<Record<number, string>> = {
  900: 'invalid SQL statement',
  902: 'invalid datatype',
  903: 'invalid table name',
  904: 'invalid identifier',
  905: 'missing keyword',
  906: 'missing left parenthesis',
  907: 'missing right parenthesis',
  908: 'missing NULL keyword',
  909: 'invalid number of arguments',
  917: 'missing comma',
  920: 'invalid relational operator',
  922: 'missing or invalid option',
  923: 'FROM keyword not found where expected',
  924: 'missing BY keyword',
  925: 'missing INTO keyword',
  926: 'missing VALUES keyword',
  927: 'missing equal sign',
  928: 'missing SELECT keyword',
  933: 'SQL command not properly ended',
  936: 'missing expression',
  969: 'missing ON keyword',
  971: 'missing SET keyword',
  1756: 'quoted string not properly terminated',
  2000: 'missing keyword',
};

/** Reads the tokens of one statement in order; the parser functions share it. */
export class TokenReader {
  readonly text: string;
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(text: string) {
    this.text = text;
    this.#tokens = tokenize(text);
  }

  peek(ahead = 0): Token {
    const token = this.#tokens[this.#position + ahead] ?? this.#tokens.at(-1);
    if (token === undefined) {
      throw new OracleError(900, 'invalid SQL statement');
    }
    return token;
  }

  next(): Token {
    const token = this.peek();
    this.#position += 1;
    return token;
  }

  get offset(): number {
    return this.peek().offset;
  }

  /** True when the next tokens are these unquoted words. */
  at(...words: readonly string[]): boolean {
    return words.every((word, index) => {
      const token = this.peek(index);
      return token.kind === 'word' && token.value === word;
    });
  }

  atAny(words: ReadonlySet<string>): boolean {
    const token = this.peek();
    return token.kind === 'word' && words.has(token.value);
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
    if (!this.atOperator(operator)) {
      return false;
    }
    this.#position += 1;
    return true;
  }

  expect(word: string, errorNumber = 905): void {
    if (!this.accept(word)) {
      this.fail(errorNumber);
    }
  }

  expectOperator(operator: string): void {
    if (!this.acceptOperator(operator)) {
      this.fail(
        operator === '('
          ? 906
          : operator === ')'
            ? 907
            : operator === ','
              ? 917
              : operator === '='
                ? 927
                : 933,
      );
    }
  }

  /** An identifier; a reserved word in its place raises the given error. */
  identifier(errorNumber = 904): Identifier {
    const token = this.peek();
    if (token.kind === 'quoted' || (token.kind === 'word' && !isReservedWord(token.value))) {
      this.next();
      return { name: token.value, offset: token.offset };
    }
    if (errorNumber === 904) {
      throw new OracleError(904, `${token.text || 'end of statement'}: invalid identifier`, {
        offset: token.offset,
      });
    }
    return this.fail(errorNumber);
  }

  atIdentifier(ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.kind === 'quoted' || (token.kind === 'word' && !isReservedWord(token.value));
  }

  textLiteral(errorNumber = 1756): string {
    const token = this.next();
    return token.kind === 'text' ? token.value : this.fail(errorNumber, token);
  }

  integer(errorNumber = 922): number {
    const token = this.next();
    return token.kind === 'number' && /^\d+$/.test(token.value)
      ? Number(token.value)
      : this.fail(errorNumber, token);
  }

  /** `( item, item … )`. */
  parenthesized<Item>(read: () => Item): readonly Item[] {
    this.expectOperator('(');
    const items = this.list(read);
    this.expectOperator(')');
    return items;
  }

  /** `item, item …`. */
  list<Item>(read: () => Item): readonly Item[] {
    const items = [read()];
    while (this.acceptOperator(',')) {
      items.push(read());
    }
    return items;
  }

  /** The text between two offsets as Oracle names an expression: upper case, no white space outside quotes. */
  columnText(from: number, to: number): string {
    return this.#tokens
      .filter((token) => token.offset >= from && token.end <= to && token.kind !== 'end')
      .map((token) =>
        token.kind === 'word' || token.kind === 'number' || token.kind === 'bind'
          ? token.text.toUpperCase()
          : token.text,
      )
      .join('');
  }

  /** Offset after the last token read. */
  get previousEnd(): number {
    return this.#tokens[this.#position - 1]?.end ?? 0;
  }

  fail(errorNumber: number, token: Token = this.peek()): never {
    const text = SYNTAX_ERRORS[errorNumber] ?? 'syntax error';
    const near = token.text === '' ? 'at the end' : `near "${token.text.slice(0, 40)}"`;
    throw new OracleError(errorNumber, `${text} (${near})`, { offset: token.offset });
  }

  unsupported(what: string): never {
    throw new OracleError(3001, `unimplemented feature: ${what} is not supported by the emulator`, {
      offset: this.offset,
    });
  }
}
