import type { RawRow } from '../result-shape.ts';
import { statementFault } from '../statement-fault.ts';
import type { DriverExecuteOptions, DriverResult, OracleDriver } from './oracle-driver.ts';

/** Rows that come in one round trip: more than the largest page of a list and the row that shows that there is more. */
const ROWS_AT_ONCE = 1_100;

/** How a query runs: CLOBs come as text, and one row more than the limit shows that there are too many. */
export function queryOptions(driver: OracleDriver, maxRows: number): DriverExecuteOptions {
  return {
    outFormat: driver.OUT_FORMAT_ARRAY,
    maxRows: maxRows + 1,
    fetchArraySize: ROWS_AT_ONCE,
    prefetchRows: ROWS_AT_ONCE,
    fetchTypeHandler: ({ dbType }) =>
      dbType === driver.DB_TYPE_CLOB ? { type: driver.DB_TYPE_VARCHAR } : undefined,
  };
}

/** Rows by column name, in lower case. @throws AgentMemoryError `internal` when there are more than the limit */
export function rawRows(
  statement: string,
  { metaData = [], rows = [] }: DriverResult,
  maxRows: number,
): { readonly columns: readonly string[]; readonly rows: readonly RawRow[] } {
  if (rows.length > maxRows)
    throw statementFault(statement, `there are more rows than the limit of ${maxRows}`);
  const columns = metaData.map(({ name }) => name.toLowerCase());
  return {
    columns,
    rows: rows.map((row) => Object.fromEntries(row.map((value, index) => [columns[index] ?? '', value]))),
  };
}
