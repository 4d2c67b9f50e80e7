import type {
  AlterTable,
  ColumnSyntax,
  ConstraintSyntax,
  CreateTable,
  Identifier,
  TableChange,
} from '../syntax-tree.ts';
import { parseDataType } from './data-type.ts';
import { parseCondition } from './parse-condition.ts';
import { parseExpression } from './parse-expression.ts';
import { parseQuery } from './parse-query.ts';
import type { TokenReader } from './token-reader.ts';

/** `IF NOT EXISTS`. */
export function acceptIfNotExists(reader: TokenReader): boolean {
  return reader.accept('IF', 'NOT', 'EXISTS');
}

/** `CREATE TABLE …`; both words are read. */
export function parseCreateTable(reader: TokenReader, offset: number): CreateTable {
  const ifNotExists = acceptIfNotExists(reader);
  const name = reader.identifier(903);
  const columns: ColumnSyntax[] = [];
  const constraints: ConstraintSyntax[] = [];
  if (reader.acceptOperator('(')) {
    parseElements(reader, columns, constraints);
    reader.expectOperator(')');
  }
  skipPhysicalOptions(reader);
  const query = reader.accept('AS') ? parseQuery(reader) : undefined;
  if (columns.length === 0 && query === undefined) {
    reader.fail(reader.peek().kind === 'end' ? 906 : 922);
  }
  return { kind: 'create_table', name, ifNotExists, columns, constraints, query, offset };
}

function parseElements(reader: TokenReader, columns: ColumnSyntax[], constraints: ConstraintSyntax[]): void {
  reader.list(() => {
    const constraint = parseTableConstraint(reader);
    if (constraint === undefined) {
      columns.push(parseColumn(reader));
    } else {
      constraints.push(constraint);
    }
  });
}

/** Storage words without meaning in the emulator. */
function skipPhysicalOptions(reader: TokenReader): void {
  for (;;) {
    if (reader.accept('TABLESPACE')) {
      reader.identifier();
    } else if (!reader.accept('LOGGING') && !reader.accept('NOLOGGING') && !reader.accept('NOCOMPRESS')) {
      return;
    }
  }
}

/** One column with its inline constraints. A type may be absent in MODIFY. */
export function parseColumn(reader: TokenReader): ColumnSyntax {
  const name = reader.identifier();
  const type = atColumnOption(reader) ? undefined : parseDataType(reader);
  let column: ColumnSyntax = {
    name,
    type,
    default: undefined,
    defaultOnNull: false,
    identity: undefined,
    nullable: undefined,
    constraints: [],
  };
  for (;;) {
    const next = parseColumnOption(reader, column);
    if (next === undefined) {
      return column;
    }
    column = next;
  }
}

function atColumnOption(reader: TokenReader): boolean {
  return (
    reader.peek().kind === 'end' ||
    reader.atOperator(',') ||
    reader.atOperator(')') ||
    ['NOT', 'NULL', 'DEFAULT', 'CONSTRAINT', 'GENERATED', 'PRIMARY', 'UNIQUE', 'CHECK', 'REFERENCES'].some(
      (word) => reader.at(word),
    )
  );
}

function parseColumnOption(reader: TokenReader, column: ColumnSyntax): ColumnSyntax | undefined {
  if (reader.accept('DEFAULT')) {
    const defaultOnNull = reader.accept('ON', 'NULL');
    return {
      ...column,
      defaultOnNull,
      default: parseExpression(reader),
      nullable: defaultOnNull ? false : column.nullable,
    };
  }
  if (reader.accept('GENERATED')) {
    return { ...column, identity: parseIdentity(reader), nullable: false };
  }
  if (reader.at('AS') || reader.at('VIRTUAL')) {
    return reader.unsupported('a virtual column');
  }
  const name = reader.accept('CONSTRAINT') ? reader.identifier() : undefined;
  if (reader.accept('NOT')) {
    reader.expect('NULL', 908);
    parseConstraintState(reader);
    return { ...column, nullable: false };
  }
  if (name === undefined && reader.accept('NULL')) {
    return { ...column, nullable: true };
  }
  const constraint = parseInlineConstraint(reader, name, column.name);
  if (constraint !== undefined) {
    return { ...column, constraints: [...column.constraints, constraint] };
  }
  return name === undefined ? undefined : reader.fail(905);
}

function parseIdentity(reader: TokenReader): ColumnSyntax['identity'] {
  let identity: ColumnSyntax['identity'] = 'ALWAYS';
  if (reader.accept('BY')) {
    reader.expect('DEFAULT');
    identity = reader.accept('ON', 'NULL') ? 'BY DEFAULT ON NULL' : 'BY DEFAULT';
  } else {
    reader.accept('ALWAYS');
  }
  reader.expect('AS');
  if (!reader.accept('IDENTITY')) {
    return reader.unsupported('a virtual column');
  }
  if (reader.atOperator('(')) {
    reader.unsupported('options of an identity column');
  }
  return identity;
}

function parseInlineConstraint(
  reader: TokenReader,
  name: Identifier | undefined,
  column: Identifier,
): ConstraintSyntax | undefined {
  const plain = { name, columns: [column], condition: undefined, references: undefined };
  if (reader.accept('PRIMARY')) {
    reader.expect('KEY');
    return { ...plain, kind: 'PRIMARY KEY', deferred: parseConstraintState(reader) };
  }
  if (reader.accept('UNIQUE')) {
    return { ...plain, kind: 'UNIQUE', deferred: parseConstraintState(reader) };
  }
  if (reader.accept('CHECK')) {
    return { ...plain, kind: 'CHECK', condition: parseCheck(reader), deferred: parseConstraintState(reader) };
  }
  if (reader.at('REFERENCES')) {
    const references = parseReferences(reader);
    return { ...plain, kind: 'FOREIGN KEY', references, deferred: parseConstraintState(reader) };
  }
  return undefined;
}

function parseTableConstraint(reader: TokenReader): ConstraintSyntax | undefined {
  const name = reader.accept('CONSTRAINT') ? reader.identifier() : undefined;
  const plain = { name, columns: [], condition: undefined, references: undefined };
  if (reader.accept('PRIMARY')) {
    reader.expect('KEY');
    const columns = reader.parenthesized(() => reader.identifier());
    return { ...plain, kind: 'PRIMARY KEY', columns, deferred: parseConstraintState(reader) };
  }
  if (reader.accept('UNIQUE')) {
    const columns = reader.parenthesized(() => reader.identifier());
    return { ...plain, kind: 'UNIQUE', columns, deferred: parseConstraintState(reader) };
  }
  if (reader.accept('CHECK')) {
    return { ...plain, kind: 'CHECK', condition: parseCheck(reader), deferred: parseConstraintState(reader) };
  }
  if (reader.accept('FOREIGN')) {
    reader.expect('KEY');
    const columns = reader.parenthesized(() => reader.identifier());
    const references = parseReferences(reader);
    return { ...plain, kind: 'FOREIGN KEY', columns, references, deferred: parseConstraintState(reader) };
  }
  return name === undefined ? undefined : reader.fail(904);
}

function parseCheck(reader: TokenReader) {
  reader.expectOperator('(');
  const condition = parseCondition(reader);
  reader.expectOperator(')');
  return condition;
}

function parseReferences(reader: TokenReader): NonNullable<ConstraintSyntax['references']> {
  reader.expect('REFERENCES');
  const table = reader.identifier(903);
  const columns = reader.atOperator('(') ? reader.parenthesized(() => reader.identifier()) : [];
  let onDelete: 'CASCADE' | 'SET NULL' | undefined;
  if (reader.accept('ON')) {
    reader.expect('DELETE');
    if (reader.accept('CASCADE')) {
      onDelete = 'CASCADE';
    } else {
      reader.expect('SET');
      reader.expect('NULL');
      onDelete = 'SET NULL';
    }
  }
  return { table, columns, onDelete };
}

function parseConstraintState(reader: TokenReader): ConstraintSyntax['deferred'] {
  let deferred: ConstraintSyntax['deferred'];
  for (;;) {
    if (reader.accept('DEFERRABLE')) {
      deferred ??= 'DEFERRABLE';
    } else if (reader.accept('INITIALLY', 'DEFERRED')) {
      deferred = 'INITIALLY DEFERRED';
    } else if (reader.at('DISABLE') || reader.at('NOVALIDATE') || reader.at('RELY')) {
      reader.unsupported(`constraint state ${reader.peek().value}`);
    } else if (
      !reader.accept('INITIALLY', 'IMMEDIATE') &&
      !reader.accept('ENABLE') &&
      !reader.accept('VALIDATE')
    ) {
      return deferred;
    }
  }
}

/** `ALTER TABLE …`; both words are read. */
export function parseAlterTable(reader: TokenReader, offset: number): AlterTable {
  const ifExists = reader.accept('IF', 'EXISTS');
  const name = reader.identifier(903);
  const changes = [parseTableChange(reader)];
  while (reader.peek().kind !== 'end') {
    changes.push(parseTableChange(reader));
  }
  return { kind: 'alter_table', name, ifExists, changes, offset };
}

function parseTableChange(reader: TokenReader): TableChange {
  if (reader.accept('ADD')) {
    return parseAdd(reader);
  }
  if (reader.accept('MODIFY')) {
    const columns = reader.atOperator('(')
      ? reader.parenthesized(() => parseColumn(reader))
      : [parseColumn(reader)];
    return { kind: 'modify', columns };
  }
  if (reader.accept('DROP')) {
    return parseDropPart(reader);
  }
  if (reader.accept('RENAME')) {
    if (reader.accept('TO')) {
      return { kind: 'rename_table', to: reader.identifier(903) };
    }
    reader.expect('COLUMN');
    const from = reader.identifier();
    reader.expect('TO');
    return { kind: 'rename_column', from, to: reader.identifier() };
  }
  return reader.fail(922);
}

function parseAdd(reader: TokenReader): TableChange {
  const columns: ColumnSyntax[] = [];
  const constraints: ConstraintSyntax[] = [];
  if (reader.acceptOperator('(')) {
    parseElements(reader, columns, constraints);
    reader.expectOperator(')');
  } else {
    const constraint = parseTableConstraint(reader);
    if (constraint === undefined) {
      columns.push(parseColumn(reader));
    } else {
      constraints.push(constraint);
    }
  }
  return { kind: 'add_columns', columns, constraints };
}

function parseDropPart(reader: TokenReader): TableChange {
  if (reader.accept('COLUMN')) {
    return { kind: 'drop_columns', columns: [reader.identifier()] };
  }
  if (reader.accept('CONSTRAINT')) {
    const name = reader.identifier();
    return { kind: 'drop_constraint', name, cascade: reader.accept('CASCADE') };
  }
  if (reader.accept('PRIMARY')) {
    reader.expect('KEY');
    return { kind: 'drop_constraint', name: 'PRIMARY KEY', cascade: reader.accept('CASCADE') };
  }
  return { kind: 'drop_columns', columns: reader.parenthesized(() => reader.identifier()) };
}
