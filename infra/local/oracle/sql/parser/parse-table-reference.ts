import type { TableReference } from '../query-syntax.ts';
import type { Expression, Identifier } from '../syntax-tree.ts';
import { parseCondition } from './parse-condition.ts';
import { parseJsonTable } from './parse-json-table.ts';
import { parseQuery } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

/** Words after a table that go on with the statement and so are no alias. */
const NO_TABLE_ALIAS: ReadonlySet<string> = new Set([
  'CROSS',
  'EXCEPT',
  'FETCH',
  'FULL',
  'INNER',
  'JOIN',
  'LEFT',
  'LOG',
  'MODEL',
  'NATURAL',
  'OFFSET',
  'OUTER',
  'PARTITION',
  'PIVOT',
  'RETURN',
  'RETURNING',
  'RIGHT',
  'SAMPLE',
  'UNPIVOT',
  'USING',
  'WHEN',
]);
const REFUSED: readonly string[] = ['PARTITION', 'PIVOT', 'UNPIVOT', 'SAMPLE', 'MODEL'];

/** The FROM list. */
export function parseTableReferences(reader: TokenReader): readonly TableReference[] {
  return reader.list(() => parseTableReference(reader));
}

/** One table with its joins. */
function parseTableReference(reader: TokenReader): TableReference {
  let left = parseTablePrimary(reader);
  for (;;) {
    const joined = parseJoin(reader, left);
    if (joined === undefined) {
      return left;
    }
    left = joined;
  }
}

function parseJoin(reader: TokenReader, left: TableReference): TableReference | undefined {
  const { offset } = left;
  if (reader.accept('CROSS')) {
    if (reader.accept('APPLY')) {
      const right = asLateral(parseTablePrimary(reader));
      return {
        kind: 'join',
        type: 'CROSS',
        left,
        right,
        on: undefined,
        using: undefined,
        natural: false,
        offset,
      };
    }
    reader.expect('JOIN');
    const right = parseTablePrimary(reader);
    return {
      kind: 'join',
      type: 'CROSS',
      left,
      right,
      on: undefined,
      using: undefined,
      natural: false,
      offset,
    };
  }
  const natural = reader.accept('NATURAL');
  const type = parseJoinType(reader);
  if (type === undefined) {
    return natural ? reader.fail(905) : undefined;
  }
  const right = parseTablePrimary(reader);
  if (natural) {
    return { kind: 'join', type, left, right, on: undefined, using: undefined, natural, offset };
  }
  const { on, using } = parseJoinCondition(reader);
  return { kind: 'join', type, left, right, on, using, natural, offset };
}

function parseJoinType(reader: TokenReader): 'INNER' | 'LEFT' | 'RIGHT' | 'FULL' | undefined {
  if (reader.accept('JOIN')) {
    return 'INNER';
  }
  if (reader.accept('INNER')) {
    reader.expect('JOIN');
    return 'INNER';
  }
  for (const side of ['LEFT', 'RIGHT', 'FULL'] as const) {
    if (reader.accept(side)) {
      reader.accept('OUTER');
      reader.expect('JOIN');
      return side;
    }
  }
  return undefined;
}

function parseJoinCondition(reader: TokenReader): {
  on: Expression | undefined;
  using: readonly Identifier[] | undefined;
} {
  if (reader.accept('USING')) {
    return { on: undefined, using: reader.parenthesized(() => reader.identifier()) };
  }
  reader.expect('ON', 905);
  return { on: parseCondition(reader), using: undefined };
}

function asLateral(reference: TableReference): TableReference {
  return reference.kind === 'derived' ? { ...reference, lateral: true } : reference;
}

/** A table, subquery or JSON_TABLE with its alias. */
export function parseTablePrimary(reader: TokenReader): TableReference {
  const { offset } = reader.peek();
  const lateral = reader.accept('LATERAL');
  if (reader.atOperator('(')) {
    return parseParenthesized(reader, lateral, offset);
  }
  if (reader.at('JSON_TABLE') && reader.atOperator('(', 1)) {
    return parseJsonTable(reader, offset);
  }
  const name = reader.identifier(903);
  if (reader.atOperator('.') || reader.atOperator('@')) {
    reader.unsupported('a schema or database link before a table');
  }
  if (reader.atOperator('(')) {
    reader.unsupported('a table function');
  }
  return { kind: 'table', name, alias: parseTableAlias(reader), offset };
}

function parseParenthesized(reader: TokenReader, lateral: boolean, offset: number): TableReference {
  const inner =
    reader.atOperator('(', 1) || reader.peek(1).value === 'SELECT' || reader.peek(1).value === 'WITH';
  reader.next();
  if (!inner) {
    const joined = parseTableReference(reader);
    reader.expectOperator(')');
    return joined;
  }
  const query = parseQuery(reader);
  reader.expectOperator(')');
  return { kind: 'derived', query, lateral, alias: parseTableAlias(reader), offset };
}

/** Oracle takes no AS before a table alias. */
export function parseTableAlias(reader: TokenReader): Identifier | undefined {
  if (REFUSED.some((word) => reader.at(word) && (word !== 'MODEL' || reader.atIdentifier(1)))) {
    reader.unsupported(reader.peek().value);
  }
  return reader.atIdentifier() && !reader.atAny(NO_TABLE_ALIAS) ? reader.identifier() : undefined;
}
