import { OracleError } from '../oracle-error.ts';
import type { OracleType } from '../oracle-type.ts';
import type { TokenReader } from './token-reader.ts';

const MAXIMUM_VARCHAR2 = 4000;
const MAXIMUM_RAW = 2000;

/** Where a VARCHAR2 may stand without a length: JSON functions and CAST targets use Oracle's default of 4,000. */
interface DataTypeOptions {
  readonly defaultLength?: number;
}

/** Reads a data type. ORA-00902: unknown type; ORA-00906: VARCHAR2 without a length; ORA-00910: length over 4,000. */
export function parseDataType(reader: TokenReader, options: DataTypeOptions = {}): OracleType {
  const token = reader.next();
  if (token.kind !== 'word') {
    reader.fail(902, token);
  }
  switch (token.value) {
    case 'VARCHAR2':
    case 'NVARCHAR2':
    case 'VARCHAR':
      return parseVarchar(reader, token.value === 'NVARCHAR2' ? 'CHAR' : 'BYTE', options.defaultLength);
    case 'NUMBER':
    case 'NUMERIC':
    case 'DECIMAL':
      return parseNumber(reader);
    case 'INTEGER':
    case 'INT':
    case 'SMALLINT':
      return { kind: 'NUMBER', precision: 38, scale: 0 };
    case 'FLOAT':
      return parseFloatType(reader);
    case 'BINARY_DOUBLE':
    case 'BINARY_FLOAT':
    case 'CLOB':
    case 'BLOB':
    case 'DATE':
    case 'JSON':
    case 'BOOLEAN':
      return { kind: token.value };
    case 'NCLOB':
      return { kind: 'CLOB' };
    case 'BOOL':
      return { kind: 'BOOLEAN' };
    case 'RAW':
      return parseRaw(reader);
    case 'TIMESTAMP':
      return parseTimestamp(reader);
    case 'INTERVAL':
      return parseIntervalType(reader);
    case 'VECTOR':
      return parseVector(reader);
    case 'CHAR':
    case 'NCHAR':
    case 'LONG':
    case 'ROWID':
    case 'UROWID':
    case 'BFILE':
    case 'XMLTYPE':
      return reader.unsupported(`the data type ${token.value}`);
    default:
      return reader.fail(902, token);
  }
}

function parseVarchar(
  reader: TokenReader,
  unit: 'BYTE' | 'CHAR',
  defaultLength: number | undefined,
): OracleType {
  if (!reader.acceptOperator('(')) {
    return defaultLength === undefined ? reader.fail(906) : { kind: 'VARCHAR2', length: defaultLength, unit };
  }
  const offset = reader.offset;
  const length = reader.integer(910);
  if (length === 0) {
    throw new OracleError(1723, 'zero-length columns are not allowed', { offset });
  }
  if (length > MAXIMUM_VARCHAR2) {
    throw new OracleError(910, 'specified length too long for its datatype', { offset });
  }
  const declared = reader.accept('CHAR') ? 'CHAR' : reader.accept('BYTE') ? 'BYTE' : unit;
  reader.expectOperator(')');
  return { kind: 'VARCHAR2', length, unit: declared };
}

function parseNumber(reader: TokenReader): OracleType {
  if (!reader.acceptOperator('(')) {
    return { kind: 'NUMBER' };
  }
  const offset = reader.offset;
  const precision = reader.acceptOperator('*') ? 38 : reader.integer(1727);
  let scale = 0;
  if (reader.acceptOperator(',')) {
    const negative = reader.acceptOperator('-');
    scale = reader.integer(1728) * (negative ? -1 : 1);
  }
  reader.expectOperator(')');
  if (precision < 1 || precision > 38) {
    throw new OracleError(1727, 'numeric precision specifier is out of range (1 to 38)', { offset });
  }
  if (scale < -84 || scale > 127) {
    throw new OracleError(1728, 'numeric scale specifier is out of range (-84 to 127)', { offset });
  }
  return { kind: 'NUMBER', precision, scale };
}

function parseFloatType(reader: TokenReader): OracleType {
  if (reader.acceptOperator('(')) {
    reader.integer(1727);
    reader.expectOperator(')');
  }
  return { kind: 'NUMBER' };
}

function parseRaw(reader: TokenReader): OracleType {
  reader.expectOperator('(');
  const offset = reader.offset;
  const length = reader.integer(910);
  reader.expectOperator(')');
  if (length > MAXIMUM_RAW) {
    throw new OracleError(910, 'specified length too long for its datatype', { offset });
  }
  return { kind: 'RAW', length };
}

function parseTimestamp(reader: TokenReader): OracleType {
  let precision = 6;
  if (reader.acceptOperator('(')) {
    const offset = reader.offset;
    precision = reader.integer(30088);
    reader.expectOperator(')');
    if (precision > 9) {
      throw new OracleError(30088, 'datetime/interval precision is out of range', { offset });
    }
  }
  if (!reader.accept('WITH')) {
    return { kind: 'TIMESTAMP', precision, timeZone: false };
  }
  if (reader.at('LOCAL')) {
    reader.unsupported('TIMESTAMP WITH LOCAL TIME ZONE');
  }
  reader.expect('TIME');
  reader.expect('ZONE');
  return { kind: 'TIMESTAMP', precision, timeZone: true };
}

function parseIntervalType(reader: TokenReader): OracleType {
  const skipPrecision = () => {
    if (reader.acceptOperator('(')) {
      reader.integer(30088);
      reader.expectOperator(')');
    }
  };
  if (reader.accept('DAY')) {
    skipPrecision();
    reader.expect('TO');
    reader.expect('SECOND');
    skipPrecision();
  } else {
    reader.expect('YEAR');
    skipPrecision();
    reader.expect('TO');
    reader.expect('MONTH');
  }
  return { kind: 'INTERVAL' };
}

function parseVector(reader: TokenReader): OracleType {
  let dimensions: number | '*' = '*';
  let format: 'FLOAT32' | 'FLOAT64' | 'INT8' | '*' = '*';
  if (reader.acceptOperator('(')) {
    const offset = reader.offset;
    dimensions = reader.acceptOperator('*') ? '*' : reader.integer(51801);
    if (dimensions !== '*' && (dimensions < 1 || dimensions > 65535)) {
      throw new OracleError(51801, 'VECTOR column dimensions must be between 1 and 65535', { offset });
    }
    if (reader.acceptOperator(',')) {
      format = parseVectorFormat(reader);
    }
    if (reader.acceptOperator(',') && !reader.accept('DENSE')) {
      reader.unsupported('VECTOR storage other than DENSE');
    }
    reader.expectOperator(')');
  }
  return { kind: 'VECTOR', dimensions, format };
}

/** `FLOAT32`, `FLOAT64`, `INT8` or `*`. ORA-51802 for another format. */
export function parseVectorFormat(reader: TokenReader): 'FLOAT32' | 'FLOAT64' | 'INT8' | '*' {
  if (reader.acceptOperator('*')) {
    return '*';
  }
  const token = reader.next();
  if (token.value === 'FLOAT32' || token.value === 'FLOAT64' || token.value === 'INT8') {
    return token.value;
  }
  if (token.value === 'BINARY') {
    return reader.unsupported('the vector format BINARY');
  }
  throw new OracleError(51802, `invalid VECTOR type specification: ${token.text}`, { offset: token.offset });
}
