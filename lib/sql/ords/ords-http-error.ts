import {
  AgentMemoryError,
  type AgentMemoryErrorOptions,
  type ErrorCode,
} from '../../errors/agent-memory-error.ts';

interface StatusClass {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryable: boolean;
  /** For logs only. */
  readonly hint: string;
}

const NOT_AVAILABLE = 'the database endpoint is not available';
const BY_STATUS: Readonly<Record<number, StatusClass>> = {
  401: credentialsRefused(),
  403: credentialsRefused(),
  404: {
    code: 'unavailable',
    message: NOT_AVAILABLE,
    retryable: false,
    hint: 'check ORDS_URL: the schema is not REST-enabled under this alias, or has not what ORDS_MODE needs',
  },
  408: { code: 'timeout', message: 'the database took too long', retryable: true, hint: 'request timeout' },
  413: {
    code: 'payload_too_large',
    message: 'the request is larger than the database endpoint takes',
    retryable: false,
    hint: 'raise the request limit of ORDS or of the server in front of it',
  },
  429: { code: 'unavailable', message: NOT_AVAILABLE, retryable: true, hint: 'too many requests' },
  503: {
    code: 'unavailable',
    message: NOT_AVAILABLE,
    retryable: true,
    hint: 'the connection pool may be in use',
  },
  504: { code: 'timeout', message: 'the database took too long', retryable: true, hint: 'gateway timeout' },
};

function credentialsRefused(): StatusClass {
  return {
    code: 'internal',
    message: 'the database refused the configured credentials',
    retryable: false,
    hint: 'check the ORDS credentials; a retry could lock the account',
  };
}

/** The error for an answer that is not a success and reports no statement error. */
export function httpStatusError(response: Response): AgentMemoryError {
  const { code, message, retryable, hint } = BY_STATUS[response.status] ?? otherStatus(response.status);
  const retryAfterSeconds = retryable ? retryAfter(response) : undefined;
  const cause = new Error(`ORDS answered ${response.status}: ${hint}`);
  const options: AgentMemoryErrorOptions = { retryable, cause };
  return new AgentMemoryError(
    code,
    message,
    retryAfterSeconds === undefined ? options : { ...options, retryAfterSeconds },
  );
}

function otherStatus(status: number): StatusClass {
  return status >= 500
    ? { code: 'unavailable', message: NOT_AVAILABLE, retryable: true, hint: 'server error' }
    : {
        code: 'internal',
        message: 'the database endpoint refused a request of this service',
        retryable: false,
        hint: 'unexpected status',
      };
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get('retry-after'));
  return Number.isSafeInteger(seconds) && seconds > 0 ? seconds : 5;
}
