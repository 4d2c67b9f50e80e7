import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];
export type LogFields = Readonly<Record<string, unknown>>;

/** Writes events. Fields never hold content, queries or credentials. */
export interface Logger {
  log(level: LogLevel, event: string, fields: LogFields): void;
}

/** A logger that hands each event of at least `minimum` to `write` as one line of JSON. */
export function createJsonLogger(minimum: LogLevel, write: (line: string) => void): Logger {
  return {
    log(level, event, fields) {
      if (LOG_LEVELS.indexOf(level) < LOG_LEVELS.indexOf(minimum)) return;
      write(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }));
    },
  };
}

const CAUSE_DEPTH = 4;

/**
 * What a log may hold of an error: names, codes, numbers and places in the program, of it and its causes. Messages
 * are kept of `AgentMemoryError`s only; those of others may repeat what a user wrote.
 */
export function describeFailure(error: unknown, depth = 0): LogFields {
  if (!(error instanceof Error)) return { name: typeof error };
  const { cause } = error;
  return {
    name: error.name,
    ...(AgentMemoryError.is(error) ? { code: error.code, message: error.message } : {}),
    ...numbers(error),
    ...(AgentMemoryError.is(error) ? {} : { stack: frames(error.stack) }),
    ...(cause === undefined || depth >= CAUSE_DEPTH ? {} : { cause: describeFailure(cause, depth + 1) }),
  };
}

/** `ORA-00060` has `facility` and `number`, an HTTP failure a `status`. */
function numbers(error: Error): LogFields {
  const known = Object.entries(error).filter(
    ([key, value]) => typeof value === 'number' || (key === 'facility' && /^[A-Z]{3}$/.test(String(value))),
  );
  return Object.fromEntries(known);
}

function frames(stack: string | undefined): readonly string[] {
  return (stack ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 8);
}
