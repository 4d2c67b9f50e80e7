import * as z from 'zod';
import type { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Bind, Binds } from '../bind.ts';
import { boundValue } from '../bind-rules.ts';
import { fromOracleError } from '../oracle-error.ts';
import type { RawRow } from '../result-shape.ts';
import type { Expectation } from '../statement.ts';
import { statementFault } from '../statement-fault.ts';

const DATA_TYPES: Readonly<Record<Bind['type'], string>> = {
  text: 'VARCHAR2',
  clob: 'CLOB',
  number: 'NUMBER',
};

/** What is sent in one request: one statement or block. */
export interface OrdsStatement {
  /** Name for errors and logs. */
  readonly name: string;
  readonly sql: string;
  readonly binds: Binds;
  /** Names of NUMBER out binds. */
  readonly outs: readonly string[];
  readonly expectations: readonly Expectation[];
}

/** Body of `POST …/_/sql` (ORDS Developer's Guide, "REST-Enabled SQL Service"). */
export function encodeRequest(statement: OrdsStatement, limit: number): string {
  const inBinds = Object.entries(statement.binds).map(([name, bind]) => ({
    name,
    data_type: DATA_TYPES[bind.type],
    value: boundValue(bind),
  }));
  const outBinds = statement.outs.map((name) => ({ name, data_type: 'NUMBER', mode: 'out' }));
  return JSON.stringify({
    statementText: statement.sql,
    offset: 0,
    limit,
    binds: [...inBinds, ...outBinds],
    responseFormat: {
      resultSetMetaData: true,
      statementText: false,
      binds: true,
      statementInformation: true,
      result: true,
      response: false,
    },
  });
}

const responseItem = z.looseObject({
  errorCode: z.number().nullish(),
  errorDetails: z.string().nullish(),
  resultSet: z
    .looseObject({
      metadata: z.array(z.looseObject({ jsonColumnName: z.string() })).nullish(),
      items: z.array(z.record(z.string(), z.unknown())).nullish(),
      hasMore: z.boolean().nullish(),
    })
    .nullish(),
  binds: z
    .array(
      z.looseObject({
        name: z.string().nullish(),
        result: z.unknown().optional(),
        value: z.unknown().optional(),
      }),
    )
    .nullish(),
});
const responseBody = z.looseObject({ items: z.array(responseItem) });

/** One answer without errors. */
export interface OrdsResult {
  readonly columns: readonly string[] | undefined;
  readonly rows: readonly RawRow[];
  /** Values of the out binds by name. */
  readonly outs: Readonly<Record<string, number>>;
}

/**
 * Reads the parsed body of an answer. A failed statement is reported inside `items`, also under HTTP 200.
 *
 * @throws AgentMemoryError by the Oracle error number; `internal` when the answer is not one statement's result or
 * there are more rows than the limit
 */
export function decodeResponse(statement: OrdsStatement, body: unknown): OrdsResult {
  const parsed = responseBody.safeParse(body);
  if (!parsed.success) throw statementFault(statement.name, 'ORDS answered with an unknown body');
  const [item, ...others] = parsed.data.items;
  const failed = parsed.data.items.find((each) => each.errorCode || each.errorDetails);
  if (failed !== undefined) throw databaseError(statement, failed);
  if (item === undefined || others.length > 0) {
    throw statementFault(statement.name, `ORDS ran ${parsed.data.items.length} statements, not one`);
  }
  if (item.resultSet?.hasMore)
    throw statementFault(statement.name, 'ORDS has more rows than the limit (hasMore)');
  return {
    columns: item.resultSet?.metadata?.map((column) => column.jsonColumnName),
    rows: item.resultSet?.items ?? [],
    outs: decodeOuts(statement, item.binds ?? []),
  };
}

/** True for a body that reports a failed statement, whatever the HTTP status is. */
export function reportsStatementError(body: unknown): boolean {
  const parsed = responseBody.safeParse(body);
  return parsed.success && parsed.data.items.some((item) => item.errorCode || item.errorDetails);
}

function databaseError(statement: OrdsStatement, item: z.infer<typeof responseItem>): AgentMemoryError {
  return fromOracleError({
    number: item.errorCode ? Math.abs(item.errorCode) : undefined,
    text: item.errorDetails ?? '',
    statement: statement.name,
    expectations: statement.expectations,
  });
}

function decodeOuts(
  statement: OrdsStatement,
  binds: readonly {
    readonly name?: string | null | undefined;
    readonly result?: unknown;
    readonly value?: unknown;
  }[],
): Record<string, number> {
  const outs: Record<string, number> = {};
  for (const name of statement.outs) {
    const bind = binds.find((each) => each.name?.toLowerCase() === name);
    const value = Number(bind?.result ?? bind?.value ?? Number.NaN);
    if (!Number.isSafeInteger(value)) throw statementFault(statement.name, `out bind ${name} has no number`);
    outs[name] = value;
  }
  return outs;
}
