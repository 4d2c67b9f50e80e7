import type {
  CommonTable,
  IntoItem,
  Query,
  QueryBody,
  Select,
  SelectItem,
  SetOperation,
  StarItem,
} from '../query-syntax.ts';
import type { Expression, Identifier, SortKey } from '../syntax-tree.ts';
import { parseCondition } from './parse-condition.ts';
import { parseBind, parseExpression } from './parse-expression.ts';
import { parseFetch, parseForUpdate, parseOffset } from './parse-fetch.ts';
import { parseTableReferences } from './parse-table-reference.ts';
import type { TokenReader } from './token-reader.ts';

/** Words that end a select list and so are no alias without AS. */
const NO_COLUMN_ALIAS: ReadonlySet<string> = new Set([
  'BULK',
  'FETCH',
  'OFFSET',
  'RETURNING',
  'CROSS',
  'JOIN',
]);

/** A query: `[WITH …] SELECT … [ORDER BY …] [OFFSET …] [FETCH …] [FOR UPDATE …]`. */
export function parseQuery(reader: TokenReader): Query {
  const { offset } = reader.peek();
  const commonTables = reader.accept('WITH') ? reader.list(() => parseCommonTable(reader)) : [];
  const body = parseBody(reader);
  const orderBy = reader.at('ORDER') ? parseSortKeys(reader) : [];
  const forUpdateFirst = parseForUpdate(reader);
  const skip = parseOffset(reader);
  const fetch = parseFetch(reader);
  const forUpdate = forUpdateFirst ?? parseForUpdate(reader);
  return { kind: 'query', with: commonTables, body, orderBy, skip, fetch, forUpdate, offset };
}

function parseCommonTable(reader: TokenReader): CommonTable {
  if (reader.at('FUNCTION') || reader.at('PROCEDURE')) {
    reader.unsupported('WITH FUNCTION');
  }
  const name = reader.identifier(903);
  const columns = reader.atOperator('(') ? reader.parenthesized(() => reader.identifier()) : [];
  reader.expect('AS');
  reader.expectOperator('(');
  const query = parseQuery(reader);
  reader.expectOperator(')');
  return { name, columns, query };
}

function parseBody(reader: TokenReader): QueryBody {
  let left = parseTerm(reader);
  for (;;) {
    const { offset } = reader.peek();
    const operator = parseSetOperator(reader);
    if (operator === undefined) {
      return left;
    }
    left = { kind: 'set', operator, left, right: parseTerm(reader), offset };
  }
}

function parseSetOperator(reader: TokenReader): SetOperation['operator'] | undefined {
  if (reader.accept('UNION')) {
    return reader.accept('ALL') ? 'UNION ALL' : 'UNION';
  }
  if (reader.accept('INTERSECT')) {
    return reader.accept('ALL') ? 'INTERSECT ALL' : 'INTERSECT';
  }
  if (reader.accept('MINUS') || reader.accept('EXCEPT')) {
    return reader.accept('ALL') ? 'MINUS ALL' : 'MINUS';
  }
  return undefined;
}

function parseTerm(reader: TokenReader): QueryBody {
  const { offset } = reader.peek();
  if (reader.acceptOperator('(')) {
    const query = parseQuery(reader);
    reader.expectOperator(')');
    return { kind: 'query', query, offset };
  }
  reader.expect('SELECT', 928);
  return parseSelect(reader, offset);
}

function parseSelect(reader: TokenReader, offset: number): Select {
  const distinct = reader.accept('DISTINCT') || reader.accept('UNIQUE');
  if (!distinct) {
    reader.accept('ALL');
  }
  const items = parseSelectList(reader);
  if (reader.at('BULK')) {
    reader.unsupported('BULK COLLECT');
  }
  const into = reader.accept('INTO') ? reader.list(() => parseIntoItem(reader)) : [];
  const from = reader.accept('FROM') ? parseTableReferences(reader) : [];
  if (from.length === 0 && !atSelectEnd(reader)) {
    reader.fail(923);
  }
  const where = reader.accept('WHERE') ? parseCondition(reader) : undefined;
  if (reader.at('CONNECT') || reader.at('START')) {
    reader.unsupported('CONNECT BY');
  }
  let groupBy: readonly Expression[] = [];
  if (reader.accept('GROUP')) {
    reader.expect('BY', 924);
    groupBy = reader.list(() => parseExpression(reader));
  }
  const having = reader.accept('HAVING') ? parseCondition(reader) : undefined;
  return { kind: 'select', distinct, items, into, from, where, groupBy, having, offset };
}

/** Oracle 23ai allows SELECT without FROM. */
function atSelectEnd(reader: TokenReader): boolean {
  return (
    reader.peek().kind === 'end' ||
    reader.atOperator(')') ||
    reader.at('WHERE') ||
    reader.at('UNION') ||
    reader.at('INTERSECT') ||
    reader.at('MINUS') ||
    reader.at('ORDER') ||
    reader.at('FETCH')
  );
}

/** An unqualified `*` stands alone; `table.*` may stand beside other items. */
function parseSelectList(reader: TokenReader): readonly (SelectItem | StarItem)[] {
  if (reader.acceptOperator('*')) {
    return [{ star: true, table: undefined }];
  }
  return reader.list(() => parseSelectItem(reader));
}

function parseSelectItem(reader: TokenReader): SelectItem | StarItem {
  if (reader.atIdentifier() && reader.atOperator('.', 1) && reader.atOperator('*', 2)) {
    const table = reader.identifier();
    reader.next();
    reader.next();
    return { star: true, table };
  }
  return parseNamedItem(reader);
}

/** `expression [[AS] alias]`. */
export function parseNamedItem(reader: TokenReader): SelectItem {
  const start = reader.offset;
  const expression = parseCondition(reader);
  const text = reader.columnText(start, reader.previousEnd);
  let alias: Identifier | undefined;
  if (reader.accept('AS')) {
    alias = reader.identifier(923);
  } else if (reader.atIdentifier() && !reader.atAny(NO_COLUMN_ALIAS)) {
    alias = reader.identifier(923);
  }
  return { expression, alias, text };
}

/** A target of INTO: `:bind` or a variable of the block. */
export function parseIntoItem(reader: TokenReader): IntoItem {
  const token = reader.peek();
  if (token.kind === 'bind') {
    const { name, offset } = parseBind(reader);
    return { source: 'bind', name, offset };
  }
  const { name, offset } = reader.identifier();
  return { source: 'variable', name, offset };
}

/** `ORDER BY key [ASC | DESC] [NULLS FIRST | LAST], …`. */
export function parseSortKeys(reader: TokenReader): readonly SortKey[] {
  reader.expect('ORDER');
  if (reader.at('SIBLINGS')) {
    reader.unsupported('ORDER SIBLINGS BY');
  }
  reader.expect('BY', 924);
  return reader.list(() => parseSortKey(reader));
}

/** One key with its direction. */
export function parseSortKey(reader: TokenReader): SortKey {
  const expression = parseExpression(reader);
  const descending = reader.accept('DESC');
  if (!descending) {
    reader.accept('ASC');
  }
  let nulls: SortKey['nulls'];
  if (reader.accept('NULLS')) {
    nulls = reader.accept('FIRST') ? 'FIRST' : 'LAST';
    if (nulls === 'LAST') {
      reader.expect('LAST');
    }
  }
  return { expression, descending, nulls };
}

/** `column` or `table.column`. */
export function parseColumnPath(reader: TokenReader): readonly Identifier[] {
  const path = [reader.identifier()];
  while (reader.acceptOperator('.')) {
    path.push(reader.identifier(1747));
  }
  return path;
}
