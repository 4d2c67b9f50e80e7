import type { ConstraintSyntax } from '../ddl-syntax.ts';
import type { Identifier } from '../syntax-tree.ts';
import { parseCondition } from './parse-condition.ts';
import type { TokenReader } from './token-reader.ts';

/** A constraint after a column, if one follows. */
export function parseInlineConstraint(
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

/** A constraint among the columns of a table, if one follows. */
export function parseTableConstraint(reader: TokenReader): ConstraintSyntax | undefined {
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

/** `ENABLE`, `DEFERRABLE` and the like; disabled constraints are refused. */
export function parseConstraintState(reader: TokenReader): ConstraintSyntax['deferred'] {
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
