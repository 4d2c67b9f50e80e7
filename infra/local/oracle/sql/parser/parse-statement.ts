import { OracleError } from '../oracle-error.ts';
import type { Statement } from '../syntax-tree.ts';
import { parseAlterTable } from './parse-alter-table.ts';
import { parseDelete, parseInsert, parseMerge, parseUpdate } from './parse-dml.ts';
import {
  parseComment,
  parseCreateIndex,
  parseCreateSequence,
  parseCreateView,
  parseDrop,
} from './parse-object-ddl.ts';
import { parseQuery } from './parse-query.ts';
import { parseCreateTable } from './parse-table-ddl.ts';
import { TokenReader } from './token-reader.ts';

/**
 * Parses one SQL statement without a trailing semicolon into its syntax tree. Whatever is not in the grammar is an
 * `OracleError`: the number of Oracle's syntax error, or ORA-03001 for valid Oracle that the emulator lacks.
 */
export function parseStatement(text: string): Statement {
  const reader = new TokenReader(text);
  const statement = parseKind(reader);
  const rest = reader.peek();
  if (rest.kind !== 'end') {
    if (rest.value === ';') {
      throw new OracleError(911, '";": invalid character', { offset: rest.offset });
    }
    reader.fail(933, rest);
  }
  return statement;
}

function parseKind(reader: TokenReader): Statement {
  const { offset } = reader.peek();
  if (reader.at('SELECT') || reader.at('WITH') || reader.atOperator('(')) {
    return parseQuery(reader);
  }
  const word = reader.next().value;
  switch (word) {
    case 'INSERT':
      return parseInsert(reader, offset);
    case 'UPDATE':
      return parseUpdate(reader, offset);
    case 'DELETE':
      return parseDelete(reader, offset);
    case 'MERGE':
      return parseMerge(reader, offset);
    case 'CREATE':
      return parseCreate(reader, offset);
    case 'ALTER':
      return reader.accept('TABLE')
        ? parseAlterTable(reader, offset)
        : reader.unsupported(`ALTER ${reader.peek().value}`);
    case 'DROP':
      return parseDrop(reader, offset);
    case 'TRUNCATE':
      return parseTruncate(reader, offset);
    case 'COMMENT':
      return parseComment(reader, offset);
    case 'COMMIT':
    case 'ROLLBACK':
      reader.accept('WORK');
      return { kind: word === 'COMMIT' ? 'commit' : 'rollback', offset };
    case 'GRANT':
    case 'REVOKE':
    case 'LOCK':
    case 'EXPLAIN':
    case 'SAVEPOINT':
    case 'SET':
      return reader.unsupported(word);
    default:
      throw new OracleError(900, 'invalid SQL statement', { offset });
  }
}

function parseCreate(reader: TokenReader, offset: number): Statement {
  const orReplace = reader.accept('OR');
  if (orReplace) {
    reader.expect('REPLACE');
  }
  if (reader.accept('VIEW') || reader.accept('FORCE', 'VIEW')) {
    return parseCreateView(reader, orReplace, offset);
  }
  if (orReplace) {
    return reader.unsupported(`CREATE OR REPLACE ${reader.peek().value}`);
  }
  if (reader.accept('TABLE')) {
    return parseCreateTable(reader, offset);
  }
  if (reader.accept('SEQUENCE')) {
    return parseCreateSequence(reader, offset);
  }
  if (reader.at('INDEX')) {
    return parseCreateIndex(reader, 'NORMAL', offset);
  }
  for (const type of ['UNIQUE', 'VECTOR', 'SEARCH'] as const) {
    if (reader.accept(type)) {
      return parseCreateIndex(reader, type, offset);
    }
  }
  if (reader.accept('HYBRID', 'VECTOR', 'INDEX')) {
    return reader.unsupported('CREATE HYBRID VECTOR INDEX');
  }
  return reader.peek().kind === 'word'
    ? reader.unsupported(`CREATE ${reader.peek().value}`)
    : reader.fail(901);
}

function parseTruncate(reader: TokenReader, offset: number): Statement {
  reader.expect('TABLE');
  const name = reader.identifier(903);
  if (!reader.accept('DROP', 'STORAGE')) {
    reader.accept('REUSE', 'STORAGE');
  }
  return { kind: 'truncate', name, cascade: reader.accept('CASCADE'), offset };
}
