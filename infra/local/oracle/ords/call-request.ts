import * as z from 'zod';
import type { FixedStatement } from '../../../../lib/sql/fixed-statement.ts';
import { MODULE_NUMBERS } from '../../../../lib/sql/oracle-error.ts';
import type { EngineBind } from '../engine/oracle-engine.ts';
import { OracleError } from '../sql/oracle-error.ts';
import type { OracleType } from '../sql/oracle-type.ts';
import { MAXIMUM_ROWS } from './ords-request.ts';

type BindType = FixedStatement['binds'][string];

/** Bytes of a VARCHAR2 in PL/SQL. */
const LONGEST_TEXT = 32_767;

const callBody = z.object({
  binds: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
  limit: z.int().min(1).default(MAXIMUM_ROWS),
  rowAccess: z.object({ userIds: z.array(z.string()), agentIds: z.array(z.string()) }).optional(),
});
export type CallRequest = z.infer<typeof callBody>;

/** Body of `POST …/call/{name}/{hash}` as the package of the module reads it. @throws OracleError ORA-20502 */
export function readCall(text: string): CallRequest {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw badCall('the body is not JSON');
  }
  const parsed = callBody.safeParse(body);
  if (!parsed.success) {
    throw badCall('the body has no binds that are text, numbers or null');
  }
  return parsed.data;
}

/**
 * The binds of an installed statement: exactly those that it declares, of their types, and its NUMBER out binds.
 *
 * @throws OracleError ORA-20502
 */
export function declaredEngineBinds(
  statement: Pick<FixedStatement, 'kind' | 'binds' | 'outs'>,
  values: CallRequest['binds'],
): readonly EngineBind[] {
  const given = Object.keys(values);
  const unknown = given.find((name) => !Object.hasOwn(statement.binds, name));
  if (unknown !== undefined) {
    throw badCall(`bind ${unknown} is not declared`);
  }
  const ins = Object.entries(statement.binds).map(([name, type]): EngineBind => {
    const value = values[name];
    if (value === undefined) {
      throw badCall(`bind ${name} has no value`);
    }
    if (value !== null && (type === 'number') !== (typeof value === 'number')) {
      throw badCall(`bind ${name} is not of type ${type}`);
    }
    if (!fitsVariable(type, value)) {
      throw badCall(`bind ${name} does not fit its type ${type}`);
    }
    const declared = engineType(type, statement.kind);
    return { name: name.toUpperCase(), type: declared, direction: 'in', value: value === '' ? null : value };
  });
  const outs = statement.outs.map(
    (name): EngineBind => ({ name: name.toUpperCase(), type: { kind: 'NUMBER' }, direction: 'out' }),
  );
  return [...ins, ...outs];
}

/** Whether the package has room for the value: NUMBER ends below 1e126, VARCHAR2 has 32,767 bytes. */
function fitsVariable(type: BindType, value: string | number | null): boolean {
  if (typeof value === 'number') {
    return Math.abs(value) < 1e126;
  }
  return type !== 'text' || value === null || Buffer.byteLength(value) <= LONGEST_TEXT;
}

/** In SQL a text bind holds 4,000 bytes, in a block 32,767. */
function engineType(type: BindType, kind: FixedStatement['kind']): OracleType {
  switch (type) {
    case 'text':
      return { kind: 'VARCHAR2', length: kind === 'atomic' ? LONGEST_TEXT : 4_000, unit: 'BYTE' };
    case 'clob':
      return { kind: 'CLOB' };
    case 'number':
      return { kind: 'NUMBER' };
  }
}

function badCall(problem: string): OracleError {
  return new OracleError(MODULE_NUMBERS.badCall, problem);
}
