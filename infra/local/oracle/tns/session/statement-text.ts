import { type Token, tokenize } from '../../sql/tokenizer.ts';
import { takesLong } from './long-place.ts';

export type StatementKind = 'query' | 'dml' | 'block' | 'ddl' | 'other';

/** Where a statement text takes a bind. In a block a name counts once; in SQL each place is a bind of its own. */
export interface Placeholder {
  readonly name: string;
  readonly offset: number;
  readonly end: number;
  /** Written by the statement: after RETURNING … INTO, or assigned in a block. */
  readonly isOutput: boolean;
  /** Read by the statement. */
  readonly isInput: boolean;
  /** It may have more bytes than a string of SQL. */
  readonly takesLong: boolean;
}

export interface StatementText {
  readonly text: string;
  readonly kind: StatementKind;
  readonly placeholders: readonly Placeholder[];
}

const KINDS: Readonly<Record<string, StatementKind>> = {
  SELECT: 'query',
  WITH: 'query',
  INSERT: 'dml',
  UPDATE: 'dml',
  DELETE: 'dml',
  MERGE: 'dml',
  BEGIN: 'block',
  DECLARE: 'block',
  CALL: 'block',
};
/** What stands before a name in a list of INTO targets. */
const TARGET_STARTS: ReadonlySet<string> = new Set(['INTO', ',', '.']);
const DDL = new Set([
  'ALTER',
  'CREATE',
  'DROP',
  'ANALYZE',
  'AUDIT',
  'COMMENT',
  'GRANT',
  'REVOKE',
  'TRUNCATE',
]);

/** What the driver finds in a text too: the kind of the statement and its binds in order. */
export function readStatementText(text: string): StatementText {
  const tokens = tokenize(text);
  const first = tokens.find((token) => token.kind === 'word')?.value ?? '';
  const kind = DDL.has(first) ? 'ddl' : (KINDS[first] ?? 'other');
  if (kind === 'ddl') {
    return { text, kind, placeholders: [] };
  }
  const placeholders = kind === 'block' ? blockPlaceholders(tokens) : sqlPlaceholders(tokens, kind === 'dml');
  return { text, kind, placeholders };
}

function sqlPlaceholders(tokens: readonly Token[], isDml: boolean): readonly Placeholder[] {
  let returns = false;
  let isOutput = false;
  const placeholders: Placeholder[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'word' && isDml) {
      returns ||= token.value === 'RETURNING' || token.value === 'RETURN';
      isOutput ||= returns && token.value === 'INTO';
    } else if (token.kind === 'bind') {
      const long = isDml && !isOutput && takesLong(tokens, index);
      placeholders.push({ ...placeholder(token, isOutput), takesLong: long });
    }
  }
  return placeholders;
}

function blockPlaceholders(tokens: readonly Token[]): readonly Placeholder[] {
  const byName = new Map<string, Placeholder>();
  let isInto = false;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === 'word' && token.value === 'INTO') {
      isInto = !isInsertInto(tokens, index);
    } else if (token.kind === 'word' && isInto) {
      isInto = TARGET_STARTS.has(tokens[index - 1]?.value ?? '');
    } else if (token.kind === 'bind') {
      const isOutput = isInto || tokens[index + 1]?.value === ':=';
      const known = byName.get(token.value);
      const current = placeholder(token, isOutput);
      byName.set(token.value, known === undefined ? current : merge(known, current));
    } else if (token.value !== ',' && token.value !== '.') {
      isInto = false;
    }
  }
  return [...byName.values()];
}

/** INSERT INTO and MERGE INTO name a table and no targets. */
function isInsertInto(tokens: readonly Token[], index: number): boolean {
  const before = tokens[index - 1]?.value;
  return before === 'INSERT' || before === 'MERGE';
}

function placeholder({ value, offset, end }: Token, isOutput: boolean): Placeholder {
  return { name: value, offset, end, isOutput, isInput: !isOutput, takesLong: false };
}

function merge(left: Placeholder, right: Placeholder): Placeholder {
  const isOutput = left.isOutput || right.isOutput;
  return { ...left, isOutput, isInput: left.isInput || right.isInput };
}
