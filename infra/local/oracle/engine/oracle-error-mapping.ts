import { OracleError } from '../sql/oracle-error.ts';
import { SCHEMA_NAME } from '../translate/names.ts';
import { PostgresError } from './postgres-error.ts';
import { qualified, toValidationError } from './validation-error-mapping.ts';

/** What was being run when PostgreSQL failed. */
export interface FailedStatement {
  readonly verb: string;
}

type Mapping = (error: PostgresError, statement: FailedStatement) => OracleError;

const fixed =
  (number: number, text: string): Mapping =>
  (error) =>
    new OracleError(number, text, { cause: error });

/** PostgreSQL's SQLSTATE to the error that Oracle Database reports in the same situation. */
const BY_STATE: Readonly<Record<string, Mapping>> = {
  '0A000': unsupported,
  '21000': cardinalityViolation,
  '22000': vectorError,
  '22001': (error) =>
    new OracleError(12899, `value too large for column (${lengthLimit(error)})`, { cause: error }),
  '22003': fixed(1438, 'value larger than specified precision allowed for this column'),
  '22007': fixed(1861, 'literal does not match format string'),
  '22008': fixed(1841, '(full) year must be between -4713 and +9999, and not be 0'),
  '22004': fixed(6502, 'PL/SQL: numeric or value error'),
  '2F005': fixed(6503, 'PL/SQL: Function returned without value'),
  '2200H': fixed(8004, 'sequence exceeds its limit'),
  '22012': fixed(1476, 'divisor is equal to zero'),
  '2201B': fixed(12726, 'unmatched bracket in regular expression'),
  '22025': fixed(1425, 'escape character must be character string of length 1'),
  '22032': fixed(40441, 'JSON syntax error'),
  '22034': fixed(40470, 'JSON_VALUE evaluated to multiple values'),
  '22035': fixed(40462, 'JSON path evaluated to no value'),
  '22038': fixed(40456, 'JSON_VALUE evaluated to non-scalar value'),
  '22P02': invalidText,
  '23502': nullViolation,
  '23503': foreignKeyViolation,
  '23505': uniqueViolation,
  '23514': (error) =>
    new OracleError(2290, `check constraint (${qualified(error.constraint)}) violated`, { cause: error }),
  '42501': (error) =>
    error.message.startsWith('new row violates row-level security policy')
      ? new OracleError(28115, 'policy with check option violation', { cause: error })
      : unsupported(error),
  '42601': fixed(900, 'invalid SQL statement'),
  '42701': (error) => new OracleError(957, `duplicate column name${quoted(error)}`, { cause: error }),
  '42702': (error) => new OracleError(918, `column ambiguously defined${quoted(error)}`, { cause: error }),
  '42703': (error) => new OracleError(904, `${firstQuoted(error)}: invalid identifier`, { cause: error }),
  '42803': fixed(979, 'not a GROUP BY expression'),
  '42804': fixed(932, 'inconsistent data types'),
  '42846': fixed(932, 'inconsistent data types'),
  '42883': fixed(932, 'inconsistent data types'),
  '42P01': (error) =>
    new OracleError(942, `table or view ${firstQuoted(error)} does not exist`, { cause: error }),
  '42P07': fixed(955, 'name is already used by an existing object'),
  '42P10': fixed(1785, 'ORDER BY item must be the number of a SELECT-list expression'),
  '42P18': fixed(1008, 'not all variables bound'),
  '53400': fixed(1652, 'unable to extend temp segment in tablespace TEMP'),
  '54001': fixed(
    3001,
    'unimplemented feature: the statement or a value is nested too deeply for the emulator',
  ),
  '42809': (error) =>
    new OracleError(942, `table or view ${firstQuoted(error)} does not exist`, { cause: error }),
  '55000': fixed(8002, 'sequence CURRVAL is not yet defined in this session'),
  '55P03': fixed(54, 'resource busy and acquire with NOWAIT specified or timeout expired'),
  OR001: raisedByPrelude,
};

/** Any failure while a statement runs as an `OracleError`; what is not PostgreSQL's stays as it is. */
export function toOracleError(error: unknown, statement: FailedStatement): unknown {
  if (!(error instanceof PostgresError)) {
    return error;
  }
  const validation = /^(?:CREATE|ALTER)\b/.test(statement.verb)
    ? toValidationError(error, statement.verb)
    : undefined;
  return validation ?? (BY_STATE[error.sqlState] ?? unsupported)(error, statement);
}

function unsupported(error: PostgresError): OracleError {
  return new OracleError(
    3001,
    `unimplemented feature: the emulator does not support this statement (${error.sqlState}: ${error.message})`,
    { cause: error },
  );
}

function raisedByPrelude(error: PostgresError): OracleError {
  const parts = /^ORA-(\d{5}): ([\s\S]*)$/.exec(error.message);
  return parts === null
    ? unsupported(error)
    : new OracleError(Number(parts[1]), parts[2] ?? '', { cause: error });
}

function invalidText(error: PostgresError): OracleError {
  if (error.message.includes('json')) {
    return new OracleError(40441, 'JSON syntax error', { cause: error });
  }
  if (error.message.includes('vector')) {
    return new OracleError(51805, 'Vector is not properly formatted (dimension value is invalid)', {
      cause: error,
    });
  }
  if (/timestamp|date|interval/.test(error.message)) {
    return new OracleError(1861, 'literal does not match format string', { cause: error });
  }
  return new OracleError(1722, 'invalid number', { cause: error });
}

function vectorError(error: PostgresError): OracleError {
  const expected = /^expected (\d+) dimensions, not (\d+)/.exec(error.message);
  if (expected !== null) {
    const counts = `(actual: ${expected[2]}, required: ${expected[1]})`;
    return new OracleError(
      51803,
      `Vector dimension count must match the dimension count specified in the column definition ${counts}.`,
      { cause: error },
    );
  }
  const different = /^different vector dimensions (\d+) and (\d+)/.exec(error.message);
  return different === null
    ? unsupported(error)
    : new OracleError(
        51808,
        `vector_distance() is not supported for vectors with different dimension counts (${different[1]}, ${different[2]}).`,
        { cause: error },
      );
}

function uniqueViolation(error: PostgresError): OracleError {
  return new OracleError(1, `unique constraint (${qualified(error.constraint)}) violated`, { cause: error });
}

/** A scalar subquery with several rows, or a MERGE whose source has several rows for one target row. */
function cardinalityViolation(error: PostgresError): OracleError {
  return error.message.startsWith('MERGE')
    ? new OracleError(30926, 'unable to get a stable set of rows in the source tables', { cause: error })
    : new OracleError(1427, 'single-row subquery returns more than one row', { cause: error });
}

/** A MERGE that inserts rows. */
const INSERTS = /\bWHEN NOT MATCHED\b/;

function nullViolation(error: PostgresError, statement: FailedStatement): OracleError {
  const parts = [SCHEMA_NAME, error.table, error.column];
  const column = parts.map((part) => `"${part}"`).join('.');
  const updates = statement.verb === 'UPDATE' || (statement.verb === 'MERGE' && !INSERTS.test(error.sql));
  return updates
    ? new OracleError(1407, `cannot update (${column}) to NULL`, { cause: error })
    : new OracleError(1400, `cannot insert NULL into (${column})`, { cause: error });
}

function foreignKeyViolation(error: PostgresError): OracleError {
  const name = qualified(error.constraint);
  return error.detail.includes('is not present')
    ? new OracleError(2291, `integrity constraint (${name}) violated - parent key not found`, {
        cause: error,
      })
    : new OracleError(2292, `integrity constraint (${name}) violated - child record found`, { cause: error });
}

function lengthLimit(error: PostgresError): string {
  return `maximum: ${/\((\d+)\)/.exec(error.message)?.[1] ?? 'unknown'}`;
}

/** The identifier that PostgreSQL's message is about, quoted and in upper case as Oracle prints it. */
function firstQuoted(error: PostgresError): string {
  const name = /"([^"]+)"|column (\S+) does not exist/.exec(error.message);
  const path = name?.[1] ?? name?.[2]?.replaceAll('"', '') ?? '';
  return path
    .split('.')
    .map((part) => `"${part.toUpperCase()}"`)
    .join('.');
}

function quoted(error: PostgresError): string {
  return `: ${firstQuoted(error)}`;
}
