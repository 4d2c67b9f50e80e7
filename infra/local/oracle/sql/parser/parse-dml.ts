import type { Assignment, Delete, Insert, Merge, Returning, TargetTable, Update } from '../dml-syntax.ts';
import type { Expression, Identifier } from '../syntax-tree.ts';
import { parseCondition } from './parse-condition.ts';
import { parseExpression } from './parse-expression.ts';
import { parseColumnPath, parseIntoItem, parseNamedItem, parseQuery } from './parse-query.ts';
import { parseTableAlias, parseTablePrimary } from './parse-table-reference.ts';
import type { TokenReader } from './token-reader.ts';

function parseTarget(reader: TokenReader): TargetTable {
  if (reader.atOperator('(')) {
    reader.unsupported('a subquery as the target of DML');
  }
  const name = reader.identifier(903);
  if (reader.atOperator('.') || reader.atOperator('@')) {
    reader.unsupported('a schema or database link before a table');
  }
  return { name, alias: reader.at('VALUES') ? undefined : parseTableAlias(reader) };
}

/** `INSERT INTO …`; the word INSERT is read. */
export function parseInsert(reader: TokenReader, offset: number): Insert {
  if (reader.at('ALL') || reader.at('FIRST')) {
    reader.unsupported('multi-table INSERT');
  }
  reader.expect('INTO', 925);
  const target = parseTarget(reader);
  const columns = atColumnList(reader) ? reader.parenthesized(() => parseColumnPath(reader)) : undefined;
  let rows: readonly (readonly Expression[])[] = [];
  let query: Insert['query'];
  if (reader.accept('VALUES')) {
    rows = reader.list(() => reader.parenthesized(() => parseExpression(reader)));
  } else if (reader.at('SELECT') || reader.at('WITH') || reader.atOperator('(')) {
    query = parseQuery(reader);
  } else {
    reader.fail(926);
  }
  return { kind: 'insert', target, columns, rows, query, returning: parseReturning(reader), offset };
}

function atColumnList(reader: TokenReader): boolean {
  return reader.atOperator('(') && reader.peek(1).value !== 'SELECT' && reader.peek(1).value !== 'WITH';
}

/** `UPDATE …`; the word UPDATE is read. */
export function parseUpdate(reader: TokenReader, offset: number): Update {
  const target = parseTarget(reader);
  reader.expect('SET', 971);
  const assignments = reader.list(() => parseAssignment(reader));
  const where = reader.accept('WHERE') ? parseCondition(reader) : undefined;
  return { kind: 'update', target, assignments, where, returning: parseReturning(reader), offset };
}

function parseAssignment(reader: TokenReader): Assignment {
  const columns = reader.atOperator('(')
    ? reader.parenthesized(() => parseColumnPath(reader))
    : [parseColumnPath(reader)];
  reader.expectOperator('=');
  return { columns, value: parseExpression(reader) };
}

/** `DELETE [FROM] …`; the word DELETE is read. */
export function parseDelete(reader: TokenReader, offset: number): Delete {
  reader.accept('FROM');
  const target = parseTarget(reader);
  const where = reader.accept('WHERE') ? parseCondition(reader) : undefined;
  return { kind: 'delete', target, where, returning: parseReturning(reader), offset };
}

function parseReturning(reader: TokenReader): Returning | undefined {
  if (!reader.accept('RETURNING') && !reader.accept('RETURN')) {
    return undefined;
  }
  const items = reader.list(() => parseNamedItem(reader));
  if (reader.at('BULK')) {
    reader.unsupported('BULK COLLECT');
  }
  reader.expect('INTO', 925);
  return { items, into: reader.list(() => parseIntoItem(reader)) };
}

/** `MERGE INTO …`; the word MERGE is read. */
export function parseMerge(reader: TokenReader, offset: number): Merge {
  reader.expect('INTO', 925);
  const target = parseTarget(reader);
  reader.expect('USING');
  const source = parseTablePrimary(reader);
  reader.expect('ON', 969);
  reader.expectOperator('(');
  const on = parseCondition(reader);
  reader.expectOperator(')');
  let update: Merge['update'];
  let insert: Merge['insert'];
  while (reader.accept('WHEN')) {
    const matched = !reader.accept('NOT');
    reader.expect('MATCHED');
    reader.expect('THEN');
    if (matched && update === undefined) {
      update = parseMergeUpdate(reader);
    } else if (!matched && insert === undefined) {
      insert = parseMergeInsert(reader);
    } else {
      reader.fail(905);
    }
  }
  if (update === undefined && insert === undefined) {
    reader.fail(905);
  }
  if (reader.at('RETURNING') || reader.at('LOG')) {
    reader.unsupported(`${reader.peek().value} in MERGE`);
  }
  return { kind: 'merge', target, source, on, update, insert, offset };
}

function parseMergeUpdate(reader: TokenReader): Merge['update'] {
  reader.expect('UPDATE');
  reader.expect('SET', 971);
  const assignments = reader.list(() => parseAssignment(reader));
  const where = reader.accept('WHERE') ? parseCondition(reader) : undefined;
  let deleteWhere: Expression | undefined;
  if (reader.accept('DELETE')) {
    reader.expect('WHERE');
    deleteWhere = parseCondition(reader);
  }
  return { assignments, where, deleteWhere };
}

function parseMergeInsert(reader: TokenReader): Merge['insert'] {
  reader.expect('INSERT');
  const columns: readonly (readonly Identifier[])[] | undefined = reader.atOperator('(')
    ? reader.parenthesized(() => parseColumnPath(reader))
    : undefined;
  reader.expect('VALUES', 926);
  const values = reader.parenthesized(() => parseExpression(reader));
  return { columns, values, where: reader.accept('WHERE') ? parseCondition(reader) : undefined };
}
