import * as z from 'zod';
import type { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import type { Bind } from '../bind.ts';
import { boundValue } from '../bind-rules.ts';
import { fromOracleError } from '../oracle-error.ts';
import { refuseRowAccess } from '../row-access.ts';
import { statementFault } from '../statement-fault.ts';
import type { OrdsResult, OrdsStatement, OrdsWire } from './ords-wire.ts';
import { readOuts } from './read-outs.ts';

const DATA_TYPES: Readonly<Record<Bind['type'], string>> = {
  text: 'VARCHAR2',
  clob: 'CLOB',
  number: 'NUMBER',
};

/**
 * `POST …/_/sql` (ORDS Developer's Guide, "REST-Enabled SQL Service"): the text travels with the request. A failed
 * statement is reported inside `items`, also under HTTP 200.
 */
export function createRestSqlWire(schemaUrl: string): OrdsWire {
  const url = `${schemaUrl}/_/sql`;
  return {
    encode: async (statement, maxRows) => ({ url, body: encode(statement, maxRows) }),
    reportsError,
    decode,
  };
}

function encode(statement: OrdsStatement, limit: number): string {
  refuseRowAccess(statement);
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

function decode(statement: OrdsStatement, body: unknown): OrdsResult {
  const parsed = responseBody.safeParse(body);
  if (!parsed.success) throw statementFault(statement.name, 'ORDS answered with an unknown body');
  const [item, ...others] = parsed.data.items;
  const failed = parsed.data.items.find((each) => each.errorCode || each.errorDetails);
  if (failed !== undefined) throw databaseError(statement, failed);
  if (item === undefined || others.length > 0) {
    throw statementFault(statement.name, `ORDS ran ${parsed.data.items.length} statements, not one`);
  }
  if (statement.kind === 'query' && !item.resultSet) {
    throw statementFault(statement.name, 'ORDS answered a query without a result set');
  }
  if (item.resultSet?.hasMore)
    throw statementFault(statement.name, 'ORDS has more rows than the limit (hasMore)');
  return {
    columns: item.resultSet?.metadata?.map((column) => column.jsonColumnName),
    rows: item.resultSet?.items ?? [],
    outs: readOuts(statement, (name) => {
      const bind = item.binds?.find((each) => each.name?.toLowerCase() === name);
      return bind?.result ?? bind?.value;
    }),
  };
}

function reportsError(body: unknown): boolean {
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
