import type { Binds } from '../../lib/sql/bind.ts';
import { type OracleToken, tokenizeOracle } from './oracle-token.ts';

/** A text of this program, with what it binds. */
export interface ProductText {
  readonly name: string;
  readonly sql: string;
  readonly binds: Binds;
}

/** What a house rule looks at. */
export interface CheckedText extends ProductText {
  readonly tokens: readonly OracleToken[];
}

/** A rule of this program: what Oracle takes, and what goes wrong all the same, or only elsewhere. Each finding is a sentence. */
export type HouseRule = (text: CheckedText, schema: SchemaColumns) => readonly string[];

/** Columns of the schema by what may not be done with them, upper case. */
export interface SchemaColumns {
  /** TIMESTAMP WITH TIME ZONE. */
  readonly times: ReadonlySet<string>;
}

export function checked(text: ProductText): CheckedText {
  return { ...text, tokens: tokenizeOracle(text.sql) };
}

/** A house rule that looks at one token and its neighbours. */
export const atEachToken =
  (
    check: (
      token: OracleToken,
      index: number,
      text: CheckedText,
      schema: SchemaColumns,
    ) => string | undefined,
  ): HouseRule =>
  (text, schema) =>
    text.tokens.flatMap((token, index) => check(token, index, text, schema) ?? []);
