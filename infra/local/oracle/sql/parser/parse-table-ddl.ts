import type { ColumnSyntax, ConstraintSyntax, CreateTable } from '../ddl-syntax.ts';
import { parseDataType } from './data-type.ts';
import { parseConstraintState, parseInlineConstraint, parseTableConstraint } from './parse-constraint.ts';
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

/** Columns and constraints between the parentheses of a table. */
export function parseElements(
  reader: TokenReader,
  columns: ColumnSyntax[],
  constraints: ConstraintSyntax[],
): void {
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
