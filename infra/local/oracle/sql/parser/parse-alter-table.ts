import type { AlterTable, ColumnSyntax, ConstraintSyntax, TableChange } from '../ddl-syntax.ts';
import { parseTableConstraint } from './parse-constraint.ts';
import { parseColumn, parseElements } from './parse-table-ddl.ts';
import type { TokenReader } from './token-reader.ts';

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
