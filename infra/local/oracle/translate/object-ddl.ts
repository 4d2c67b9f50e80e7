import type { CreateSequence, CreateView } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Statement } from '../sql/syntax-tree.ts';
import { checkColumnNames } from './create-table.ts';
import { checkNamed, checkNewName, ddl, existingTable } from './ddl.ts';
import { quoteName, quoteText } from './names.ts';
import { translateSubquery } from './query.ts';
import type { StatementState } from './scope.ts';
import { emptyEnvironment } from './target.ts';
import type { Translation } from './translation.ts';
import { VARCHAR2 } from './value.ts';

/** CREATE SEQUENCE. */
export function translateCreateSequence(statement: CreateSequence, state: StatementState): Translation {
  const { name } = statement.name;
  if (statement.ifNotExists && state.catalog.sequence(name)) {
    return ddl('CREATE SEQUENCE', [], []);
  }
  checkNewName(statement.name, state);
  if (statement.increment !== undefined && Number(statement.increment) === 0) {
    throw new OracleError(4002, 'INCREMENT must be a nonzero integer', { offset: statement.offset });
  }
  const { minimum = '1', maximum } = statement;
  if (maximum !== undefined && !statement.increment?.startsWith('-') && BigInt(minimum) >= BigInt(maximum)) {
    throw new OracleError(4004, 'MINVALUE must be less than MAXVALUE', { offset: statement.offset });
  }
  const options = [
    statement.increment === undefined ? '' : ` INCREMENT BY ${statement.increment}`,
    statement.minimum === undefined ? '' : ` MINVALUE ${statement.minimum}`,
    statement.maximum === undefined ? '' : ` MAXVALUE ${bounded(statement.maximum)}`,
    statement.start === undefined ? '' : ` START WITH ${statement.start}`,
    statement.cycle ? ' CYCLE' : '',
  ];
  return ddl(
    'CREATE SEQUENCE',
    [`CREATE SEQUENCE ${quoteName(name)}${options.join('')}`],
    [{ kind: 'sequence', name }],
  );
}

/** Sequences of PostgreSQL end at 2^63 - 1, those of Oracle at 28 digits. */
function bounded(maximum: string): string {
  return BigInt(maximum) > 9223372036854775807n ? '9223372036854775807' : maximum;
}

/** CREATE [OR REPLACE] VIEW. The catalog keeps it as a table that is marked. */
export function translateCreateView(statement: CreateView, state: StatementState): Translation {
  const { name } = statement.name;
  const exists = state.catalog.table(name) !== undefined;
  if (statement.ifNotExists && exists) {
    return ddl('CREATE VIEW', [], []);
  }
  if (!statement.orReplace) {
    checkNewName(statement.name, state);
  }
  if (statement.columns.length === 0) {
    checkNamed(statement.query);
  }
  const { sql, columns } = translateSubquery(statement.query, {
    ...emptyEnvironment(state),
    inDefinition: true,
  });
  if (statement.columns.length > 0 && statement.columns.length !== columns.length) {
    throw new OracleError(1730, 'invalid number of column names specified', { offset: statement.offset });
  }
  const definitions = columns.map((column, index) => ({
    name: statement.columns[index]?.name ?? column.name,
    type: column.type ?? VARCHAR2,
    nullable: true,
    identity: false,
  }));
  checkColumnNames(definitions, statement.offset);
  const names = definitions.map((column) => quoteName(column.name)).join(', ');
  return ddl(
    'CREATE VIEW',
    [
      ...(exists ? [`DROP VIEW ${quoteName(name)}`] : []),
      `CREATE VIEW ${quoteName(name)} (${names}) AS ${sql}`,
    ],
    [{ kind: 'table', table: { name, columns: definitions, constraints: [], isView: true } }],
  );
}

/** COMMENT ON TABLE and COLUMN. */
export function translateComment(
  statement: Statement & { kind: 'comment' },
  state: StatementState,
): Translation {
  const table = existingTable(statement.table, state);
  const { column } = statement;
  if (column === undefined) {
    return ddl('COMMENT', [`COMMENT ON TABLE ${quoteName(table.name)} IS ${quoteText(statement.text)}`], []);
  }
  if (!table.columns.some((candidate) => candidate.name === column.name)) {
    throw new OracleError(904, `"${column.name}": invalid identifier`, { offset: column.offset });
  }
  return ddl(
    'COMMENT',
    [`COMMENT ON COLUMN ${quoteName(table.name)}.${quoteName(column.name)} IS ${quoteText(statement.text)}`],
    [],
  );
}
