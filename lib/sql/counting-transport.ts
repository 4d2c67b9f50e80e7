import { AgentMemoryError, type ErrorCode } from '../errors/agent-memory-error.ts';
import type { CallOptions, SqlTransport } from './sql-transport.ts';
import type { AtomicList, Query, ResultShape } from './statement.ts';

/** One finished call to the database. */
export interface DatabaseCall {
  readonly kind: 'query' | 'atomic' | 'ddl';
  /** Name of the statement or list; never its values. */
  readonly name: string;
  readonly milliseconds: number;
  /** `ok`, the code of the error, or `aborted` by the caller. */
  readonly outcome: ErrorCode | 'ok' | 'aborted';
}

export interface CountingOptions {
  /** Called after each call, for logs. */
  readonly onCall?: (call: DatabaseCall) => void;
  /** Milliseconds from any start. */
  readonly now?: () => number;
}

/** A transport that knows how often it was called: each call is one round trip. */
export interface CountingTransport extends SqlTransport {
  /** Calls started so far. */
  readonly roundTrips: number;
  /** Milliseconds spent in finished calls. */
  readonly milliseconds: number;
}

/** Counts and times the calls to a transport. Wrap one per request to get the request's figures. */
export function withCounting(transport: SqlTransport, options: CountingOptions = {}): CountingTransport {
  const { onCall, now = () => performance.now() } = options;
  let roundTrips = 0;
  let total = 0;

  async function counted<Result>(
    kind: DatabaseCall['kind'],
    name: string,
    call: () => Promise<Result>,
  ): Promise<Result> {
    const start = now();
    roundTrips += 1;
    const finish = (outcome: DatabaseCall['outcome']): void => {
      const milliseconds = now() - start;
      total += milliseconds;
      onCall?.({ kind, name, milliseconds, outcome });
    };
    try {
      const result = await call();
      finish('ok');
      return result;
    } catch (error) {
      finish(AgentMemoryError.is(error) ? error.code : 'aborted');
      throw error;
    }
  }

  return {
    get roundTrips() {
      return roundTrips;
    },
    get milliseconds() {
      return total;
    },
    capabilities: transport.capabilities,
    query: <Shape extends ResultShape>(query: Query<Shape>, callOptions?: CallOptions) =>
      counted('query', query.name, () => transport.query(query, callOptions)),
    executeAtomic: (list: AtomicList, callOptions?: CallOptions) =>
      counted('atomic', list.name, () => transport.executeAtomic(list, callOptions)),
    executeDdl: (sql: string, callOptions?: CallOptions) =>
      counted('ddl', 'ddl', () => transport.executeDdl(sql, callOptions)),
    close: () => transport.close(),
  };
}
