import type { JsonTableColumn, TableReference } from '../query-syntax.ts';
import type { JsonHandling } from '../syntax-tree.ts';
import type { Token } from '../tokenizer.ts';
import { parseDataType } from './data-type.ts';
import { parseExpression } from './parse-expression.ts';
import { parseHandling, parseJsonPath, parseWrapper } from './parse-json.ts';
import { parseTableAlias } from './parse-table-reference.ts';
import type { TokenReader } from './token-reader.ts';

/** `JSON_TABLE(…) [alias]`. */
export function parseJsonTable(reader: TokenReader, offset: number): TableReference {
  reader.next();
  reader.expectOperator('(');
  const document = parseExpression(reader);
  reader.accept('FORMAT', 'JSON');
  const path = reader.acceptOperator(',') ? parseJsonPath(reader) : '$';
  if (reader.at('PASSING')) {
    reader.unsupported('PASSING in JSON_TABLE');
  }
  const { onError, onEmpty } = parseHandling(reader);
  const columns = parseColumnsClause(reader);
  reader.expectOperator(')');
  return {
    kind: 'json_table',
    document,
    path,
    onError,
    onEmpty,
    columns,
    alias: parseTableAlias(reader),
    offset,
  };
}

function parseColumnsClause(reader: TokenReader): readonly JsonTableColumn[] {
  reader.expect('COLUMNS');
  return reader.parenthesized(() => parseJsonColumn(reader));
}

function parseJsonColumn(reader: TokenReader): JsonTableColumn {
  const plain = {
    type: undefined,
    formatJson: false,
    path: undefined,
    onError: undefined,
    onEmpty: undefined,
    wrapper: 'WITHOUT',
    columns: [],
  } as const;
  if (reader.accept('NESTED')) {
    reader.accept('PATH');
    const path = parseJsonPath(reader);
    return { ...plain, kind: 'nested', name: '', path, columns: parseColumnsClause(reader) };
  }
  const word = reader.peek();
  const { name } = reader.identifier();
  if (reader.accept('FOR')) {
    reader.expect('ORDINALITY');
    return { ...plain, kind: 'ordinality', name };
  }
  const type = atColumnOption(reader)
    ? ({ kind: 'VARCHAR2', length: 4000, unit: 'BYTE' } as const)
    : parseDataType(reader, { defaultLength: 4000 });
  const exists = reader.accept('EXISTS');
  const formatJson = reader.accept('FORMAT', 'JSON');
  const wrapper = parseWrapper(reader);
  const path = reader.accept('PATH') ? parseJsonPath(reader) : undefined;
  const { onError, onEmpty }: { onError: JsonHandling | undefined; onEmpty: JsonHandling | undefined } =
    parseHandling(reader);
  return {
    kind: exists ? 'exists' : 'value',
    name,
    type,
    formatJson,
    path: path ?? impliedPath(word, name),
    onError,
    onEmpty,
    wrapper,
    columns: [],
  };
}

/** The column's name as the statement writes it, in upper and lower case, is the path of a column without one. */
function impliedPath(word: Token, name: string): string {
  return `$."${word.kind === 'word' ? word.text : name}"`;
}

function atColumnOption(reader: TokenReader): boolean {
  return (
    reader.at('PATH') ||
    reader.at('EXISTS') ||
    reader.at('FORMAT') ||
    reader.atOperator(',') ||
    reader.atOperator(')')
  );
}
