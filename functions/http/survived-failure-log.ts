import type { MemoryContext } from '../../lib/memory/memory-context.ts';
import { describeFailure, type LogFields, type Logger } from './logger.ts';

/** Logs what failed without failing the work around it, with fields that say which work that was. */
export function survivedFailureLog(
  logger: Logger,
  fields: LogFields,
): NonNullable<MemoryContext['reportFailure']> {
  return (work, error) => logger.log('warn', `${work}_failed`, { ...fields, error: describeFailure(error) });
}
