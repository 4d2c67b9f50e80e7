import { AgentMemoryError, type ErrorCode } from '../errors/agent-memory-error.ts';
import { EXPECTATION_NUMBERS } from './block-compiler.ts';
import { OracleDatabaseError, type OracleFacility, withoutCallStack } from './oracle-database-error.ts';
import type { Expectation } from './statement.ts';

/** What a transport knows about a failure. */
export interface OracleFailure {
  readonly facility?: OracleFacility;
  /** Error number without sign; absent when only the text is known. */
  readonly number?: number | undefined;
  readonly text: string;
  readonly statement: string;
  /** Expectations of the list that ran: only their messages may pass to a caller. */
  readonly expectations?: readonly Expectation[];
}

/** Numbers of the package that runs installed statements (`infra/ords/call_package.sql`), from the same range. */
export const MODULE_NUMBERS = {
  /** Its table has no text of this name and hash. */
  notInstalled: 20501,
  /** The body is not what the statement takes: a fault of this program. */
  badCall: 20502,
  /** A column of a type that does not cross the boundary to the database: a fault of this program. */
  columnType: 20503,
  /** The call is restricted to rows, and the package was made without row isolation. */
  notIsolated: 20504,
} as const;

interface ErrorClass {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfterSeconds?: number;
  readonly ORA: readonly number[];
  readonly NJS: readonly number[];
}

const UNEXPECTED: ErrorClass = {
  code: 'internal',
  message: 'the database refused a statement of this service',
  retryable: false,
  ORA: [],
  NJS: [],
};

const WITHOUT_ROW_ISOLATION: ErrorClass = {
  code: 'unavailable',
  message:
    'row isolation is not installed in the database: run infra/sql/admin/row_isolation.sql, once the tables are applied with ROW_ISOLATION=none',
  retryable: false,
  ORA: [],
  NJS: [],
};

/** Oracle's error numbers by what they mean to a caller (Database Error Messages; node-oracledb error codes). */
const ERROR_CLASSES: readonly ErrorClass[] = [
  {
    code: 'not_found',
    message: 'not found',
    retryable: false,
    ORA: [EXPECTATION_NUMBERS.not_found],
    NJS: [],
  },
  {
    code: 'conflict',
    message: 'the stored state changed meanwhile',
    retryable: false,
    ORA: [EXPECTATION_NUMBERS.conflict],
    NJS: [],
  },
  { code: 'conflict', message: 'a record with this id already exists', retryable: false, ORA: [1], NJS: [] },
  {
    code: 'conflict',
    message: 'a record that is needed is missing, or one that is in use would be removed',
    retryable: false,
    ORA: [2291, 2292],
    NJS: [],
  },
  {
    code: 'invalid_request',
    message: 'a value is too long, or is not valid JSON or a vector of the expected width',
    retryable: false,
    ORA: [12899, 40441, 51803, 51805],
    NJS: [58, 105, 115, 194],
  },
  {
    code: 'unavailable',
    message: 'the database could not run this now because of concurrent work',
    retryable: true,
    retryAfterSeconds: 1,
    ORA: [54, 60, 4020, 4021, 4061, 4065, 4068, 8177, 14411, 30006, 51815],
    NJS: [],
  },
  {
    code: 'unavailable',
    message: 'the database has no capacity now',
    retryable: true,
    retryAfterSeconds: 5,
    ORA: [18, 20, 1536, 1653, 1654, 4031, 12516, 12519, 12520, 30036],
    NJS: [40, 76],
  },
  {
    code: 'unavailable',
    message: 'the connection to the database failed',
    retryable: true,
    retryAfterSeconds: 2,
    ORA: [
      28, 1012, 1033, 1034, 1089, 1090, 1092, 3113, 3114, 3135, 12514, 12528, 12537, 12541, 12545, 12547,
      12570,
    ],
    NJS: [64, 65, 87, 168, 500, 501, 503, 504, 509, 510, 511, 513, 517, 518, 519, 521, 530],
  },
  {
    code: 'unavailable',
    message: 'the memory schema is not installed or not complete: run npm run schema -- apply',
    retryable: false,
    ORA: [942, 4043, 29861],
    NJS: [],
  },
  {
    code: 'unavailable',
    message:
      'the statements of this program are not installed: run the script of npm run schema -- module as the owner',
    retryable: false,
    ORA: [MODULE_NUMBERS.notInstalled],
    NJS: [],
  },
  {
    code: 'unavailable',
    message:
      'the installed statements do not isolate rows: run the script of npm run schema -- module again, printed with ROW_ISOLATION=vpd',
    retryable: false,
    ORA: [MODULE_NUMBERS.notIsolated],
    NJS: [],
  },
  { code: 'timeout', message: 'the database took too long', retryable: true, ORA: [40, 1013], NJS: [123] },
  {
    code: 'internal',
    message: 'the database user of this service lacks a privilege or a quota',
    retryable: false,
    ORA: [990, 1031, 1950, 41900],
    NJS: [],
  },
  {
    code: 'internal',
    message: 'the database refused the configured credentials',
    retryable: false,
    ORA: [1017, 1045, 28000, 28001],
    NJS: [84, 85, 86, 101, 116, 136],
  },
  {
    code: 'internal',
    message: 'the secure connection to the database is not configured correctly',
    retryable: false,
    ORA: [],
    NJS: [505, 506, 507, 508, 529],
  },
  {
    code: 'internal',
    message: 'the address of the database is not configured correctly',
    retryable: false,
    ORA: [],
    NJS: [125, 512, 514, 515, 516, 520, 522, 533],
  },
];

/**
 * The error of this library for an Oracle error, by number: the one place that knows what the numbers mean. The
 * original is the `cause`. Where the number is missing, the first `ORA-nnnnn` of the text counts.
 */
export function fromOracleError(failure: OracleFailure): AgentMemoryError {
  const facility = failure.facility ?? 'ORA';
  const number = failure.number ?? Number(/ORA-(\d{5})/.exec(failure.text)?.[1] ?? 0);
  const cause = new OracleDatabaseError(facility, number, failure.text, failure.statement);
  const expectation = facility === 'ORA' ? failedExpectation(number, failure) : undefined;
  if (expectation !== undefined) {
    return new AgentMemoryError(expectation.otherwise, expectation.message, { cause });
  }
  const { code, message, retryable, retryAfterSeconds } = classify(facility, number, failure.text);
  const options =
    retryAfterSeconds === undefined ? { retryable, cause } : { retryable, retryAfterSeconds, cause };
  return new AgentMemoryError(code, message, options);
}

function classify(facility: OracleFacility, number: number, text: string): ErrorClass {
  if (facility === 'ORA' && number === 6550 && /PLS-00201.*MEMORY_ROW_ACCESS'/.test(text)) {
    return WITHOUT_ROW_ISOLATION;
  }
  if (facility === 'ORA' && number === 6550 && text.includes('PLS-00201')) return classify('ORA', 942, '');
  if (facility === 'ORA' && text.includes('DRG-10599')) return classify('ORA', 29861, '');
  const refusal = facility === 'NJS' && number === 511 ? /ORA-(\d{5})/.exec(text)?.[1] : undefined;
  const refused = ERROR_CLASSES.find((entry) => entry.ORA.includes(Number(refusal)));
  if (refused !== undefined) return refused;
  const nested =
    facility === 'ORA' && number === 6550 ? /ORA-(?!06550|06512)(\d{5})/.exec(text)?.[1] : undefined;
  if (nested !== undefined) return classify('ORA', Number(nested), text);
  return ERROR_CLASSES.find((entry) => entry[facility].includes(number)) ?? UNEXPECTED;
}

function failedExpectation(number: number, failure: OracleFailure): Expectation | undefined {
  const firstLine = withoutCallStack(failure.text).split('\n')[0] ?? '';
  const message = firstLine.replace(/^.*?ORA-\d{5}: /, '').trim();
  return failure.expectations?.find(
    (expectation) => EXPECTATION_NUMBERS[expectation.otherwise] === number && expectation.message === message,
  );
}
