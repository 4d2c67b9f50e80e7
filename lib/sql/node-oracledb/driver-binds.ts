import type { Bind, Binds } from '../bind.ts';
import { boundValue } from '../bind-rules.ts';
import { statementFault } from '../statement-fault.ts';
import type { DriverBind, DriverType, OracleDriver } from './oracle-driver.ts';

/** Bytes of text that SQL takes as VARCHAR2, and PL/SQL does (Database Reference, "Datatype Limits"). */
const TEXT_BYTES = { sql: 4_000, plsql: 32_767 } as const;
const encoder = new TextEncoder();

/**
 * Binds as the driver takes them. A CLOB whose text is short enough goes as VARCHAR2, which SQL and PL/SQL convert: the
 * driver makes a temporary CLOB of any other, at the cost of three more round trips.
 *
 * @param language `plsql` for a block
 */
export function encodeBinds(
  driver: OracleDriver,
  binds: Binds,
  language: keyof typeof TEXT_BYTES,
  outs: readonly string[],
): Readonly<Record<string, DriverBind>> {
  const encoded: Record<string, DriverBind> = {};
  for (const [name, bind] of Object.entries(binds)) {
    encoded[name] = { val: boundValue(bind), type: typeOf(driver, bind, TEXT_BYTES[language]) };
  }
  for (const name of outs) encoded[name] = { dir: driver.BIND_OUT, type: driver.DB_TYPE_NUMBER };
  return encoded;
}

function typeOf(driver: OracleDriver, bind: Bind, limit: number): DriverType {
  if (bind.type === 'number') return driver.DB_TYPE_NUMBER;
  return bind.type === 'clob' && isLonger(bind.value ?? '', limit)
    ? driver.DB_TYPE_CLOB
    : driver.DB_TYPE_VARCHAR;
}

function isLonger(text: string, bytes: number): boolean {
  return text.length > bytes || (text.length * 3 > bytes && encoder.encode(text).length > bytes);
}

/** The row counts of a block by name. @throws AgentMemoryError `internal` when one is none */
export function decodeOuts(
  statement: string,
  outs: readonly string[],
  values: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, number>> {
  const counts = outs.map((name) => {
    const value = values[name];
    if (typeof value !== 'number' || !Number.isSafeInteger(value)) {
      throw statementFault(statement, `out bind ${name} has no number`);
    }
    return [name, value] as const;
  });
  return Object.fromEntries(counts);
}
