import type { CreateIndex, CreateSequence, CreateView, Drop } from '../ddl-syntax.ts';
import { OracleError } from '../oracle-error.ts';
import type { Statement } from '../syntax-tree.ts';
import { parseQuery, parseSortKey } from './parse-query.ts';
import { acceptIfNotExists } from './parse-table-ddl.ts';
import type { TokenReader } from './token-reader.ts';

/** `CREATE … INDEX …` after the words that give its type. */
export function parseCreateIndex(
  reader: TokenReader,
  type: CreateIndex['type'],
  offset: number,
): CreateIndex {
  reader.expect('INDEX');
  const ifNotExists = acceptIfNotExists(reader);
  const name = reader.identifier();
  reader.expect('ON', 969);
  const table = reader.identifier(903);
  const keys = reader.parenthesized(() => parseSortKey(reader));
  if (type === 'VECTOR') {
    parseVectorOptions(reader);
    return { kind: 'create_index', name, ifNotExists, table, type, keys, offset };
  }
  const options = type === 'SEARCH' ? parseSearchOptions(reader) : parseIndexOptions(reader, type);
  return { kind: 'create_index', name, ifNotExists, table, keys, offset, ...options };
}

type IndexOptions = Pick<CreateIndex, 'type' | 'parameters'>;

function parseIndexOptions(reader: TokenReader, type: CreateIndex['type']): IndexOptions {
  let declared = type;
  let parameters = '';
  for (;;) {
    if (reader.accept('INDEXTYPE')) {
      reader.expect('IS');
      if (
        !(
          reader.accept('CTXSYS') &&
          reader.acceptOperator('.') &&
          (reader.accept('CONTEXT') || reader.accept('CONTEXT_V2'))
        )
      ) {
        reader.unsupported('an index type other than CTXSYS.CONTEXT');
      }
      declared = 'TEXT';
    } else if (declared === 'TEXT' && reader.accept('PARAMETERS')) {
      parameters += ` ${parseParameters(reader)}`;
    } else if (reader.accept('TABLESPACE')) {
      reader.identifier();
    } else if (
      !reader.accept('ONLINE') &&
      !reader.accept('NOLOGGING') &&
      !reader.accept('NOPARALLEL') &&
      !reader.accept('LOCAL')
    ) {
      return { type: declared, parameters };
    }
  }
}

function parseParameters(reader: TokenReader): string {
  return reader.parenthesized(() => reader.textLiteral()).join(' ');
}

function parseSearchOptions(reader: TokenReader): IndexOptions {
  let type: CreateIndex['type'] = 'SEARCH';
  let parameters = '';
  for (;;) {
    if (reader.accept('FOR')) {
      type = reader.accept('JSON') ? 'JSON' : 'TEXT';
      if (type === 'TEXT') {
        reader.expect('TEXT');
      }
    } else if (reader.accept('PARAMETERS')) {
      parameters += ` ${parseParameters(reader)}`;
    } else if (!reader.accept('ONLINE') && !reader.accept('LOCAL')) {
      return { type, parameters };
    }
  }
}

const DISTANCE_METRICS: ReadonlySet<string> = new Set([
  ...['COSINE', 'DOT', 'EUCLIDEAN', 'L2_SQUARED', 'EUCLIDEAN_SQUARED'],
  ...['MANHATTAN', 'HAMMING', 'JACCARD'],
]);

/** All documented clauses are read; the index is only recorded, because exact answers are legal approximate ones. */
function parseVectorOptions(reader: TokenReader): void {
  if (reader.accept('INCLUDE')) {
    reader.parenthesized(() => reader.identifier());
  }
  if (!reader.accept('LOCAL')) {
    reader.accept('GLOBAL');
  }
  if (reader.accept('ORGANIZATION')) {
    if (!reader.accept('INMEMORY', 'NEIGHBOR', 'GRAPH')) {
      reader.accept('NEIGHBOR');
      reader.expect('PARTITIONS');
    }
  }
  if (reader.accept('WITH', 'DISTANCE') || reader.accept('DISTANCE')) {
    if (!reader.atAny(DISTANCE_METRICS)) {
      reader.fail(922);
    }
    reader.next();
  }
  if (reader.accept('WITH')) {
    reader.expect('TARGET');
    reader.expect('ACCURACY');
    reader.integer();
    reader.accept('PERCENT');
  }
  if (reader.accept('PARAMETERS')) {
    reader.parenthesized(() => {
      while (!reader.atOperator(',') && !reader.atOperator(')')) {
        const { kind } = reader.next();
        if (kind !== 'word' && kind !== 'number') {
          reader.fail(922);
        }
      }
    });
  }
  if (reader.accept('PARALLEL')) {
    reader.integer();
  }
  reader.accept('ONLINE');
}

/** `CREATE SEQUENCE …`; both words are read. */
export function parseCreateSequence(reader: TokenReader, offset: number): CreateSequence {
  const ifNotExists = acceptIfNotExists(reader);
  const name = reader.identifier();
  let sequence: CreateSequence = {
    kind: 'create_sequence',
    name,
    ifNotExists,
    start: undefined,
    increment: undefined,
    minimum: undefined,
    maximum: undefined,
    cycle: false,
    offset,
  };
  while (reader.peek().kind !== 'end') {
    sequence = { ...sequence, ...parseSequenceOption(reader) };
  }
  return sequence;
}

function parseSequenceOption(reader: TokenReader): Partial<CreateSequence> {
  if (reader.accept('START')) {
    reader.expect('WITH');
    return { start: parseSignedInteger(reader) };
  }
  if (reader.accept('INCREMENT')) {
    reader.expect('BY', 924);
    return { increment: parseSignedInteger(reader) };
  }
  if (reader.accept('MINVALUE')) {
    return { minimum: parseSignedInteger(reader) };
  }
  if (reader.accept('MAXVALUE')) {
    return { maximum: parseSignedInteger(reader) };
  }
  if (reader.accept('CACHE')) {
    reader.integer();
    return {};
  }
  if (reader.accept('CYCLE')) {
    return { cycle: true };
  }
  for (const word of ['NOCACHE', 'NOCYCLE', 'NOORDER', 'ORDER', 'NOMINVALUE', 'NOMAXVALUE']) {
    if (reader.accept(word)) {
      return {};
    }
  }
  return reader.fail(933);
}

function parseSignedInteger(reader: TokenReader): string {
  const sign = reader.acceptOperator('-') ? '-' : '';
  const token = reader.next();
  return token.kind === 'number' && /^\d+$/.test(token.value)
    ? `${sign}${token.value}`
    : reader.fail(1722, token);
}

/** `CREATE [OR REPLACE] VIEW …`; the words are read. */
export function parseCreateView(reader: TokenReader, orReplace: boolean, offset: number): CreateView {
  const ifNotExists = acceptIfNotExists(reader);
  if (orReplace && ifNotExists) {
    throw new OracleError(11541, 'REPLACE and IF NOT EXISTS cannot coexist in the same DDL statement', {
      offset,
    });
  }
  const name = reader.identifier(903);
  const columns = reader.atOperator('(') ? reader.parenthesized(() => reader.identifier()) : [];
  reader.expect('AS');
  return { kind: 'create_view', name, orReplace, ifNotExists, columns, query: parseQuery(reader), offset };
}

/** `DROP …`; the word is read. */
export function parseDrop(reader: TokenReader, offset: number): Drop {
  for (const object of ['TABLE', 'INDEX', 'SEQUENCE', 'VIEW', 'FUNCTION'] as const) {
    if (reader.accept(object)) {
      const ifExists = reader.accept('IF', 'EXISTS');
      const name = reader.identifier(object === 'TABLE' ? 903 : 904);
      const cascade = object !== 'FUNCTION' && reader.accept('CASCADE');
      if (cascade) {
        reader.expect('CONSTRAINTS');
      }
      if (object !== 'FUNCTION') {
        reader.accept(object === 'INDEX' ? 'FORCE' : 'PURGE');
      }
      return { kind: 'drop', object, name, ifExists, cascade, offset };
    }
  }
  return reader.unsupported(`DROP ${reader.peek().value}`);
}

/** `COMMENT ON TABLE t IS '…'` or `COMMENT ON COLUMN t.c IS '…'`; the word COMMENT is read. */
export function parseComment(reader: TokenReader, offset: number): Statement {
  reader.expect('ON', 969);
  const onColumn = reader.accept('COLUMN');
  if (!onColumn) {
    reader.expect('TABLE');
  }
  const table = reader.identifier(903);
  if (onColumn) {
    reader.expectOperator('.');
  }
  const column = onColumn ? reader.identifier() : undefined;
  reader.expect('IS');
  return { kind: 'comment', table, column, text: reader.textLiteral(), offset };
}
