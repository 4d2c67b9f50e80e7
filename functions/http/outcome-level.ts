import type { LogFields, LogLevel } from './logger.ts';

/**
 * How loud the line about work that a queue or a clock started is. A dead job is an error, because alarms count the lines
 * that tell of one and must hear of it at every `LOG_LEVEL`; that there was nothing to do is a detail.
 */
export function outcomeLevel(outcome: LogFields, didNothing: boolean): LogLevel {
  if (outcome.outcome === 'dead' || isPositive(outcome.dead)) return 'error';
  if (outcome.outcome === 'failed' || isPositive(outcome.failedWakeUps)) return 'warn';
  return didNothing ? 'debug' : 'info';
}

/** Whether a count is more than nothing. */
export function isPositive(count: unknown): boolean {
  return typeof count === 'number' && count > 0;
}
