import type { Binds } from '../../../lib/sql/bind.ts';
import { checkBinds } from '../../../lib/sql/bind-rules.ts';
import { compileBlock } from '../../../lib/sql/block-compiler.ts';
import { decodeRows, type RawRow } from '../../../lib/sql/result-shape.ts';
import { placeholderNames } from '../../../lib/sql/sql-scanner.ts';
import type { SqlTransport } from '../../../lib/sql/sql-transport.ts';
import type { ResultShape } from '../../../lib/sql/statement.ts';
import { checkStatementText } from '../../../lib/sql/statement-text.ts';

/** What a transport would have sent. */
export interface RecordedStatement {
  readonly name: string;
  readonly kind: 'query' | 'atomic' | 'ddl';
  /** One query without white space around it, or the block of an atomic list. */
  readonly sql: string;
  readonly binds: Binds;
  /** Columns of a query; none of anything else. */
  readonly shape: ResultShape;
  /** NUMBER out binds of a block; none of anything else. */
  readonly outs: readonly string[];
}

export interface RecordingTransport extends SqlTransport {
  readonly statements: readonly RecordedStatement[];
}

/** Rows of queries and row counts of lists, by statement name; without an entry nothing is found. */
export interface RecordedAnswers {
  readonly rows?: Readonly<Record<string, readonly RawRow[]>>;
  readonly counts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** @default false */
  readonly fixedStatements?: boolean;
}

/** A transport that checks and keeps every text as a real one would send it, and answers from a script. */
export function createRecordingTransport(answers: RecordedAnswers = {}): RecordingTransport {
  const statements: RecordedStatement[] = [];
  const record = (statement: RecordedStatement): void => {
    checkStatementText(statement.name, statement.sql);
    statements.push(statement);
  };
  return {
    statements,
    capabilities: { maxRows: 10_000, fixedStatements: answers.fixedStatements ?? false },
    async query(query) {
      const { name, sql, binds, shape } = query;
      checkBinds(name, binds, placeholderNames(sql));
      record({ name, kind: 'query', sql: sql.trim(), binds, shape, outs: [] });
      return decodeRows(query, undefined, answers.rows?.[name] ?? []);
    },
    async executeAtomic(list) {
      const { sql, binds, outs } = compileBlock(list);
      record({ name: list.name, kind: 'atomic', sql, binds, shape: {}, outs: outs.map(({ name }) => name) });
      return answers.counts?.[list.name] ?? {};
    },
    async executeDdl(sql) {
      record({ name: 'ddl', kind: 'ddl', sql: sql.trim(), binds: {}, shape: {}, outs: [] });
    },
    async close() {},
  };
}
