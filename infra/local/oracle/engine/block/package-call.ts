import { OracleError } from '../../sql/oracle-error.ts';
import type { BlockReader } from './block-reader.ts';
import type { BlockExpression, BlockStatement } from './block-syntax.ts';
import { compileError } from './compile-error.ts';
import { parsePolicyCall } from './parse-policy-call.ts';
import { parseTextCall } from './parse-text-call.ts';

/** True at `name.name`, which begins a call when it begins a statement: no variable here has fields to assign to. */
export function atPackageCall(reader: BlockReader): boolean {
  const [dot, name] = [reader.peek(1), reader.peek(2)];
  return dot.kind === 'operator' && dot.value === '.' && name.kind === 'word';
}

/** A call of a procedure of a package that the emulator has; others are refused. */
export function parsePackageCall(reader: BlockReader): BlockStatement {
  switch (reader.token.value) {
    case 'CTX_DDL':
      return parseTextCall(reader);
    case 'DBMS_SESSION':
      return parseSessionCall(reader);
    case 'DBMS_RLS':
      return parsePolicyCall(reader);
    default:
      return refusePackageCall(reader);
  }
}

/** `name(value, …);` of a stored procedure. */
export function parseProcedureCall(reader: BlockReader): BlockStatement {
  const { offset } = reader.token;
  const procedure = reader.name();
  const values = parseValues(reader);
  return { kind: 'call', procedure, values, offset };
}

const SESSION_CALLS = { SET_CONTEXT: 3, CLEAR_ALL_CONTEXT: 1 } as const;

function parseSessionCall(reader: BlockReader): BlockStatement {
  const { offset } = reader.next();
  reader.expectOperator('.');
  const isSet = reader.at('SET_CONTEXT');
  if (!isSet && !reader.at('CLEAR_ALL_CONTEXT')) {
    reader.unsupported(`DBMS_SESSION.${reader.token.value}`);
  }
  reader.next();
  const values = parseValues(reader);
  if (values.length !== SESSION_CALLS[isSet ? 'SET_CONTEXT' : 'CLEAR_ALL_CONTEXT']) {
    reader.unsupported('further arguments of DBMS_SESSION');
  }
  return { kind: isSet ? 'set_context' : 'clear_context', values, offset };
}

function parseValues(reader: BlockReader): readonly BlockExpression[] {
  const values: BlockExpression[] = [];
  reader.expectOperator('(');
  do {
    values.push(reader.expressionUntil(',', ')'));
  } while (reader.acceptOperator(','));
  reader.expectOperator(')');
  reader.expectOperator(';');
  return values;
}

/**
 * Refuses a call as for a user without privileges: everyone may call DBMS_SCHEDULER, which asks for CREATE JOB; other
 * packages are not there without a grant.
 */
function refusePackageCall(reader: BlockReader): never {
  const { value, offset } = reader.token;
  if (reader.isFunction) reader.unsupported('calls of methods as statements');
  if (value === 'DBMS_SCHEDULER') throw new OracleError(27486, 'insufficient privileges', { offset });
  throw compileError(reader.text, offset, `PLS-00201: identifier '${value}' must be declared`);
}
