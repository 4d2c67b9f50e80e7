import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import { describeFailure, type Logger } from './logger.ts';
import { STATUS_OF_CODE } from './problem.ts';

/** Which request it was. */
export interface FailedRequest {
  readonly requestId: string;
  readonly operationId: string | undefined;
}

/** Logs why a request failed, where that is not the caller's own mistake. */
export function logRequestFailure(
  logger: Logger,
  { requestId, operationId }: FailedRequest,
  error: unknown,
): void {
  const status = AgentMemoryError.is(error) ? STATUS_OF_CODE[error.code].status : 500;
  if (status < 500) return;
  const fields = { requestId, operation: operationId, status, error: describeFailure(error) };
  logger.log(status === 500 ? 'error' : 'warn', 'request_failed', fields);
}
