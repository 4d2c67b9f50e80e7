import type { Binds } from '../../lib/sql/bind.ts';
import { compileBlock } from '../../lib/sql/block-compiler.ts';
import { decodeRows, type RawRow } from '../../lib/sql/result-shape.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** What a transport would have sent. */
export interface RecordedStatement {
  readonly name: string;
  /** One query, or the block of an atomic list. */
  readonly sql: string;
  readonly binds: Binds;
}

export interface RecordingTransport extends SqlTransport {
  readonly statements: readonly RecordedStatement[];
}

/** Rows of queries and row counts of lists, by statement name; without an entry nothing is found. */
export interface RecordedAnswers {
  readonly rows?: Readonly<Record<string, readonly RawRow[]>>;
  readonly counts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

/** A transport that checks and keeps every text as a real one would send it, and answers from a script. */
export function createRecordingTransport(answers: RecordedAnswers = {}): RecordingTransport {
  const statements: RecordedStatement[] = [];
  return {
    statements,
    capabilities: { maxRows: 10_000, fixedStatements: false },
    async query(query) {
      statements.push({ name: query.name, sql: query.sql, binds: query.binds });
      return decodeRows(query, undefined, answers.rows?.[query.name] ?? []);
    },
    async executeAtomic(list) {
      const block = compileBlock(list);
      statements.push({ name: list.name, sql: block.sql, binds: block.binds });
      return answers.counts?.[list.name] ?? {};
    },
    async executeDdl(sql) {
      statements.push({ name: 'ddl', sql, binds: {} });
    },
    async close() {},
  };
}
