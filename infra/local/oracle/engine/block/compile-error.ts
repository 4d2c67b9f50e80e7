import { OracleError } from '../../sql/oracle-error.ts';

/** Line (from 1) and column (from 1) of an offset. */
export function positionOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  const line = before.split('\n').length;
  return { line, column: offset - before.lastIndexOf('\n') };
}

/** ORA-06550 with the position and the PL/SQL message, as the server reports a block that does not compile. */
export function compileError(text: string, offset: number, message: string, cause?: unknown): OracleError {
  const { line, column } = positionOf(text, offset);
  return new OracleError(6550, `line ${line}, column ${column}:\n${message}`, { offset, cause });
}

/** An error found in SQL or in an expression of a block, as a compilation error of the block. */
export function wrapCompileError(
  text: string,
  offset: number,
  error: OracleError,
  embedded: 'sql' | 'expression',
): OracleError {
  const at = offset + (error.offset ?? 0);
  const identifier = error.number === 904 ? /^ORA-00904: "?([^":]+)/.exec(error.message)?.[1] : undefined;
  const first =
    embedded === 'expression' && identifier !== undefined
      ? `PLS-00201: identifier '${identifier}' must be declared`
      : `PL/SQL: ${error.message}`;
  const { line, column } = positionOf(text, offset);
  const ignored = embedded === 'sql' ? 'SQL Statement ignored' : 'Statement ignored';
  return compileError(
    text,
    at,
    `${first}\nORA-06550: line ${line}, column ${column}:\nPL/SQL: ${ignored}`,
    error,
  );
}
