import { checkNesting } from '../sql/nesting.ts';
import { parseStatement } from '../sql/parser/parse-statement.ts';
import type { Query } from '../sql/query-syntax.ts';
import type { Statement } from '../sql/syntax-tree.ts';
import { translateAlterTable } from './alter-table.ts';
import { translateCreateIndex } from './create-index.ts';
import { translateCreateTable } from './create-table.ts';
import { translateDelete, translateInsert, translateUpdate } from './dml.ts';
import { translateDrop, translateTruncate } from './drop.ts';
import { translateMerge } from './merge.ts';
import { translateComment, translateCreateSequence, translateCreateView } from './object-ddl.ts';
import { translateWholeQuery } from './query.ts';
import { StatementState } from './scope.ts';
import { checkCount, emptyEnvironment } from './target.ts';
import type { Translate, Translation } from './translation.ts';

/**
 * Translates one Oracle SQL statement to PostgreSQL 18 with pgvector and the `ora` schema of `PRELUDE_SQL`.
 *
 * Names become quoted PostgreSQL identifiers as Oracle stores them (see `postgresName` for long ones). The result needs
 * `search_path = public, pg_catalog`, `TimeZone = 'UTC'` and `standard_conforming_strings = on`. The caller passes each
 * parameter in the text form of its declared type and an empty string as NULL. One parameter stands for all uses of a
 * bind. Columns of a query come by position; two may have the same name.
 *
 * @throws OracleError whatever Oracle refuses, and ORA-03001 for what the emulator lacks.
 */
export const translate: Translate = (text, context) => {
  const statement = parseStatement(text);
  checkNesting(statement);
  return translateStatement(statement, new StatementState(context));
};

function translateStatement(statement: Statement, state: StatementState): Translation {
  switch (statement.kind) {
    case 'query':
      return translateTopQuery(statement, state);
    case 'insert':
      return translateInsert(statement, state);
    case 'update':
      return translateUpdate(statement, state);
    case 'delete':
      return translateDelete(statement, state);
    case 'merge':
      return translateMerge(statement, state);
    case 'create_table':
      return translateCreateTable(statement, state);
    case 'alter_table':
      return translateAlterTable(statement, state);
    case 'create_index':
      return translateCreateIndex(statement, state);
    case 'create_sequence':
      return translateCreateSequence(statement, state);
    case 'create_view':
      return translateCreateView(statement, state);
    case 'drop':
      return translateDrop(statement, state);
    case 'truncate':
      return translateTruncate(statement, state);
    case 'comment':
      return translateComment(statement, state);
    case 'commit':
    case 'rollback':
      return {
        kind: statement.kind,
        verb: statement.kind.toUpperCase(),
        steps: [],
        columns: [],
        into: [],
        changes: [],
      };
  }
}

function translateTopQuery(query: Query, state: StatementState): Translation {
  const { sql, columns } = translateWholeQuery(query, emptyEnvironment(state));
  const into = query.body.kind === 'select' ? query.body.into : [];
  if (into.length > 0) {
    checkCount(into.length, columns.length, query.offset);
  }
  return {
    kind: 'query',
    verb: 'SELECT',
    steps: [{ sql, parameters: state.parameters }],
    textsToEmbed: state.textsToEmbed,
    columns,
    into: into.map(({ source, name }) => ({ target: source, name })),
    changes: [],
  };
}
