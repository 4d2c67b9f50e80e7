import { randomUUID } from 'node:crypto';
import type { OracleError } from '../sql/oracle-error.ts';

/** A failure outside the statement: answered with its status and ORDS's error body. */
export class OrdsHttpError extends Error {
  override readonly name = 'OrdsHttpError';
  readonly status: 400 | 401 | 403 | 404 | 405 | 415 | 500 | 503;

  constructor(status: OrdsHttpError['status'], message: string) {
    super(message);
    this.status = status;
  }

  /** The body that ORDS sends with `error.responseFormat=json`. */
  toBody(): Readonly<Record<string, unknown>> {
    const code = CODES[this.status];
    return {
      code,
      title: code.replace(/(?<=[a-z])(?=[A-Z])/g, ' '),
      message: this.message,
      type: `tag:oracle.com,2020:error/${code}`,
      instance: `tag:oracle.com,2020:ecid/${randomUUID()}`,
    };
  }
}

const CODES: Readonly<Record<OrdsHttpError['status'], string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  415: 'UnsupportedMediaType',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
};

const ENGINE_CLOSED = 1089;

/** A database that is shut down is no failed statement: ORDS has no connection. @throws OrdsHttpError 503 */
export function refuseWhenClosed(error: OracleError): void {
  if (error.number === ENGINE_CLOSED) {
    throw new OrdsHttpError(503, 'The database is not available: the connection pool is closed.');
  }
}
