/**
 * The closed set of error codes (HTTP API contract, Conventions). The HTTP status of each lives in one table
 * in `functions`; nothing else maps codes to statuses.
 */
export const ERROR_CODES = [
  'invalid_request',
  'unauthenticated',
  'forbidden',
  'not_found',
  'conflict',
  'payload_too_large',
  'unsupported_media_type',
  'idempotency_mismatch',
  'rate_limited',
  'unsupported',
  'internal',
  'model_failed',
  'unavailable',
  'extraction_queue_full',
  'timeout',
] as const;

/** One of `ERROR_CODES`. */
export type ErrorCode = (typeof ERROR_CODES)[number];

/** One thing that is wrong with a request: where (`messages[3].role`) and what. */
export interface ErrorIssue {
  readonly path: string;
  readonly message: string;
}

/** What an error says beside its code and message. */
export interface AgentMemoryErrorOptions {
  /** Whether the same call may succeed later. Defaults to true for `unavailable`, `rate_limited` and `timeout`. */
  readonly retryable?: boolean;
  /** Seconds to wait before trying again, when known. */
  readonly retryAfterSeconds?: number;
  /** Fields that are wrong, for `invalid_request`. */
  readonly issues?: readonly ErrorIssue[];
  /** Facts that clients may rely on (`ids` of stored messages, for one). Never text from inside. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('agent-memory-functions.AgentMemoryError');
const RETRYABLE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['unavailable', 'rate_limited', 'timeout']);

/**
 * The only error class that leaves the library. Database and vendor errors are mapped to it once, by number or
 * status, and kept as `cause`; `message` is safe to show to a caller.
 */
export class AgentMemoryError extends Error {
  override readonly name = 'AgentMemoryError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly issues: readonly ErrorIssue[];
  readonly details: Readonly<Record<string, unknown>>;
  readonly [BRAND] = true;

  constructor(code: ErrorCode, message: string, options: AgentMemoryErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.retryable = options.retryable ?? RETRYABLE.has(code);
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.issues = options.issues ?? [];
    this.details = options.details ?? {};
  }

  /** True for an error of this class, also one from a second bundled copy of the library. */
  static is(error: unknown): error is AgentMemoryError {
    return typeof error === 'object' && error !== null && BRAND in error;
  }
}

/** An `invalid_request` that names one field. */
export function invalidRequest(path: string, message: string, cause?: unknown): AgentMemoryError {
  return new AgentMemoryError('invalid_request', `${path}: ${message}`, {
    issues: [{ path, message }],
    cause,
  });
}
