import { OracleError } from '../../sql/oracle-error.ts';
import type { BlockReader } from './block-reader.ts';
import { compileError } from './compile-error.ts';

/** True at `name.name`, which begins a call when it begins a statement: no variable here has fields to assign to. */
export function atPackageCall(reader: BlockReader): boolean {
  const [dot, name] = [reader.peek(1), reader.peek(2)];
  return dot.kind === 'operator' && dot.value === '.' && name.kind === 'word';
}

/**
 * Refuses a call as for a user without privileges: everyone may call DBMS_SCHEDULER, which asks for CREATE JOB; other
 * packages are not there without a grant, such as CTX_DDL without the role CTXAPP.
 */
export function refusePackageCall(reader: BlockReader): never {
  const { value, offset } = reader.token;
  if (value === 'DBMS_SCHEDULER') throw new OracleError(27486, 'insufficient privileges', { offset });
  throw compileError(reader.text, offset, `PLS-00201: identifier '${value}' must be declared`);
}
