import type { IndexDefinition, TableDefinition } from '../engine/catalog.ts';
import type { CreateIndex } from '../sql/ddl-syntax.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { Expression } from '../sql/syntax-tree.ts';
import { uniqueStep } from './constraint.ts';
import { ddl, existingTable } from './ddl.ts';
import { translateExpression } from './expression.ts';
import { quoteName, textColumnName, writtenColumnName } from './names.ts';
import type { StatementState } from './scope.ts';
import { sortDirection } from './sort.ts';
import { rowEnvironment } from './target.ts';
import { readIndexSync } from './text-index-parameters.ts';
import type { Translation } from './translation.ts';
import { isText } from './value.ts';

/** How Oracle names the hidden column of an expression in an index. */
const EXPRESSION_COLUMN = 'SYS_NC$';

/** CREATE INDEX of every kind. VECTOR and JSON indexes are only recorded: answers without them are the same. */
export function translateCreateIndex(statement: CreateIndex, state: StatementState): Translation {
  const verb = 'CREATE INDEX';
  if (state.catalog.index(statement.name.name) !== undefined) {
    if (statement.ifNotExists) {
      return ddl(verb, [], []);
    }
    throw new OracleError(955, `name "${statement.name.name}" is already used by an existing object`, {
      offset: statement.name.offset,
    });
  }
  const table = existingTable(statement.table, state);
  const taken = table.constraints.some(
    (constraint) =>
      constraint.name === statement.name.name &&
      constraint.kind !== 'CHECK' &&
      constraint.kind !== 'FOREIGN KEY',
  );
  if (taken) {
    throw new OracleError(955, `name "${statement.name.name}" is already used by an existing object`, {
      offset: statement.name.offset,
    });
  }
  const columns = statement.keys.map(({ expression }) => keyColumn(expression, table));
  const kind = indexKind(statement, table, columns);
  checkColumnList(columns, kind, table, state, statement.offset);
  const index: IndexDefinition = {
    name: statement.name.name,
    table: table.name,
    columns,
    kind,
    ...syncOf(statement, kind),
  };
  return ddl(verb, indexSteps(statement, index, table, state), [{ kind: 'index', index }]);
}

/** JSON search indexes answer from the rows, so that nothing is hidden; what their PARAMETERS say is checked all the same. */
function syncOf(statement: CreateIndex, kind: IndexDefinition['kind']): Pick<IndexDefinition, 'sync'> {
  if (kind !== 'TEXT' && kind !== 'JSON') {
    return {};
  }
  const sync = readIndexSync(statement.parameters ?? '', statement.offset);
  return kind === 'TEXT' ? { sync } : {};
}

function keyColumn(expression: Expression, table: TableDefinition): string {
  if (expression.kind !== 'name') {
    return EXPRESSION_COLUMN;
  }
  const name = expression.path.at(-1);
  if (
    name === undefined ||
    expression.path.length > 1 ||
    !table.columns.some((column) => column.name === name.name)
  ) {
    throw new OracleError(904, `"${name?.name ?? ''}": invalid identifier`, { offset: expression.offset });
  }
  return name.name;
}

/** The kind of a search index without FOR follows from its column. */
function indexKind(
  statement: CreateIndex,
  table: TableDefinition,
  columns: readonly string[],
): IndexDefinition['kind'] {
  const type = table.columns.find((column) => column.name === columns[0])?.type;
  const kind = statement.type === 'SEARCH' ? (type?.kind === 'JSON' ? 'JSON' : 'TEXT') : statement.type;
  if (kind === 'NORMAL' || kind === 'UNIQUE') {
    return kind;
  }
  const { offset } = statement;
  if (columns.length !== 1 || columns[0] === EXPRESSION_COLUMN) {
    throw new OracleError(29851, 'cannot build a domain index on more than one column', { offset });
  }
  const fits =
    kind === 'VECTOR' ? type?.kind === 'VECTOR' : kind === 'TEXT' ? isText(type) : type?.kind === 'JSON';
  if (!fits) {
    throw kind === 'VECTOR'
      ? new OracleError(51904, 'A vector index can be created only on a column of type VECTOR.', { offset })
      : new OracleError(
          29855,
          'error occurred in the execution of ODCIINDEXCREATE routine\nORA-20000: Oracle Text error:\nDRG-10509: invalid text column',
          { offset },
        );
  }
  return kind;
}

/** ORA-01408: the same columns are indexed already. */
function checkColumnList(
  columns: readonly string[],
  kind: IndexDefinition['kind'],
  table: TableDefinition,
  state: StatementState,
  offset: number,
): void {
  const named = columns.filter((column) => column !== EXPRESSION_COLUMN);
  if (new Set(named).size !== named.length) {
    throw new OracleError(957, 'duplicate column name', { offset });
  }
  const list = columns.join('\n');
  const plain = kind === 'NORMAL' || kind === 'UNIQUE';
  const indexed = state.catalog.indexes().some((index) => {
    const samePlain = index.kind === 'NORMAL' || index.kind === 'UNIQUE';
    return (
      index.table === table.name &&
      index.columns.join('\n') === list &&
      (plain ? samePlain : index.kind === kind)
    );
  });
  const keyed =
    plain &&
    table.constraints.some(
      (constraint) =>
        (constraint.kind === 'PRIMARY KEY' || constraint.kind === 'UNIQUE') &&
        constraint.columns.join('\n') === list,
    );
  if ((indexed || keyed) && !columns.includes(EXPRESSION_COLUMN)) {
    throw new OracleError(1408, 'such column list already indexed', { offset });
  }
}

function indexSteps(
  statement: CreateIndex,
  index: IndexDefinition,
  table: TableDefinition,
  state: StatementState,
): readonly string[] {
  const name = quoteName(index.name);
  const on = quoteName(table.name);
  switch (index.kind) {
    case 'VECTOR':
    case 'JSON':
      return [];
    case 'TEXT': {
      const [column = ''] = index.columns;
      const hidden = textColumnName(column);
      const since = writtenColumnName(column);
      return [
        `ALTER TABLE ${on} ADD COLUMN ${since} xid8`,
        `ALTER TABLE ${on} ALTER COLUMN ${since} SET DEFAULT pg_current_xact_id()`,
        `ALTER TABLE ${on} ADD COLUMN ${hidden} tsvector GENERATED ALWAYS AS (ora.ctx_vector(${quoteName(column)})) STORED`,
        `CREATE INDEX ${name} ON ${on} USING gin (${hidden})`,
      ];
    }
    case 'UNIQUE': {
      const definitions = index.columns.flatMap((column) =>
        table.columns.filter((candidate) => candidate.name === column),
      );
      const composite =
        definitions.length === index.columns.length ? uniqueStep(index.name, table, definitions) : undefined;
      return [composite ?? `CREATE UNIQUE INDEX ${name} ON ${on} (${keyList(statement, table, state)})`];
    }
    case 'NORMAL':
      return [`CREATE INDEX ${name} ON ${on} (${keyList(statement, table, state)})`];
  }
}

const NO_KEY: ReadonlySet<string> = new Set(['CLOB', 'BLOB', 'JSON', 'VECTOR']);

/** ORA-02327: the type of an expression cannot be indexed. */
function keyList(statement: CreateIndex, table: TableDefinition, state: StatementState): string {
  const environment = {
    ...rowEnvironment(state, [{ alias: table.name, table: table.name, columns: table.columns }]),
    restricted: true,
  };
  return statement.keys
    .map((key) => {
      const value = translateExpression(key.expression, environment);
      if (value.type === undefined || NO_KEY.has(value.type.kind)) {
        throw new OracleError(
          2327,
          `cannot create index on expression with datatype ${value.type?.kind ?? 'NULL'}`,
          { offset: key.expression.offset },
        );
      }
      return `${key.expression.kind === 'name' ? quoteName(value.column?.name ?? '') : `(${value.sql})`}${sortDirection(key)}`;
    })
    .join(', ');
}
