import * as z from 'zod';
import { boundValue } from '../bind-rules.ts';
import { statementHash } from '../fixed-statement.ts';
import { fromOracleError } from '../oracle-error.ts';
import type { RawRow } from '../result-shape.ts';
import { statementFault } from '../statement-fault.ts';
import type { OrdsResult, OrdsStatement, OrdsWire } from './ords-wire.ts';
import { readOuts } from './read-outs.ts';

/** Path of the ORDS module under the address of its schema. The schema of a runtime user serves one memory store. */
export const MODULE_PATH = 'agent-memory';

/**
 * `POST …/agent-memory/call/{name}/{hash}`: no SQL travels, only which installed statement is meant and its binds.
 *
 *     {"binds": {"thread_id": "t1", "amount": 2, "content": null}, "limit": 10000}
 *     {"columns": ["thread_id"], "rows": [["t1"]], "more": false}        of a query
 *     {"outs": {"rows_1": 1}}                                            of an atomic list
 *     {"errorCode": 20404, "errorDetails": "ORA-20404: …"}               of a statement that failed, whatever the status
 *
 * Columns are in the order of the select list. `limit` is with queries only; the database has a limit of its own too.
 */
export function createModuleWire(schemaUrl: string): OrdsWire {
  const base = `${schemaUrl}/${MODULE_PATH}/call`;
  return {
    async encode(statement, maxRows) {
      const name = encodeURIComponent(statement.name);
      return {
        url: `${base}/${name}/${await statementHash(statement.sql)}`,
        body: encode(statement, maxRows),
      };
    },
    reportsError,
    decode,
  };
}

function encode({ kind, binds, rowAccess }: OrdsStatement, limit: number): string {
  const values = Object.entries(binds).map(([name, bind]) => [name, boundValue(bind)]);
  return JSON.stringify({
    binds: Object.fromEntries(values),
    ...(kind === 'query' ? { limit } : {}),
    ...(rowAccess === undefined ? {} : { rowAccess }),
  });
}

const failure = z.looseObject({ errorCode: z.number(), errorDetails: z.string().nullish() });
const queryAnswer = z.looseObject({
  columns: z.array(z.string()),
  rows: z.array(z.array(z.unknown())),
  more: z.boolean(),
});
const listAnswer = z.looseObject({ outs: z.record(z.string(), z.unknown()) });

function reportsError(body: unknown): boolean {
  return failure.safeParse(body).success;
}

function decode(statement: OrdsStatement, body: unknown): OrdsResult {
  const failed = failure.safeParse(body);
  if (failed.success) {
    throw fromOracleError({
      number: Math.abs(failed.data.errorCode),
      text: failed.data.errorDetails ?? '',
      statement: statement.name,
      expectations: statement.expectations,
    });
  }
  return statement.kind === 'query' ? decodeQuery(statement, body) : decodeList(statement, body);
}

function decodeQuery(statement: OrdsStatement, body: unknown): OrdsResult {
  const parsed = queryAnswer.safeParse(body);
  if (!parsed.success) throw statementFault(statement.name, 'the module answered with an unknown body');
  const { columns, rows, more } = parsed.data;
  if (more) throw statementFault(statement.name, 'there are more rows than the limit (more)');
  return { columns, rows: rows.map((row) => asObject(statement, columns, row)), outs: {} };
}

function asObject(statement: OrdsStatement, columns: readonly string[], row: readonly unknown[]): RawRow {
  if (row.length !== columns.length) throw statementFault(statement.name, 'a row is not as wide as its head');
  return Object.fromEntries(columns.map((column, index) => [column, row[index]]));
}

function decodeList(statement: OrdsStatement, body: unknown): OrdsResult {
  const parsed = listAnswer.safeParse(body);
  if (!parsed.success) throw statementFault(statement.name, 'the module answered with an unknown body');
  return { columns: undefined, rows: [], outs: readOuts(statement, (name) => parsed.data.outs[name]) };
}
