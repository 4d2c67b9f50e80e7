import type { OrdsCredentials, OrdsMode } from '../../lib/sql/ords/config.ts';
import { createOrdsTransport } from '../../lib/sql/ords/ords-transport.ts';
import type { SqlTransport } from '../../lib/sql/sql-transport.ts';

/** What one call of the scripted `fetch` does: answer, or fail by throwing. */
export type Reply = (init: RequestInit) => Response | Promise<Response>;

export interface SentRequest {
  readonly url: string;
  readonly authorization: string;
  readonly body: string;
}

export interface ScriptedOrds {
  readonly transport: SqlTransport;
  readonly sent: readonly SentRequest[];
  readonly waits: readonly number[];
  /** Milliseconds since the epoch that the transport sees. */
  readonly clock: { now: number };
}

export interface ScriptedOrdsOptions {
  readonly credentials?: OrdsCredentials;
  readonly mode?: OrdsMode;
  readonly isolatesRows?: boolean;
  readonly timeoutMilliseconds?: number;
  readonly maxRows?: number;
}

/** An ORDS transport whose `fetch` gives the replies in order and records what was sent. One call too many fails. */
export function scriptedOrds(replies: readonly Reply[], options: ScriptedOrdsOptions = {}): ScriptedOrds {
  const sent: SentRequest[] = [];
  const waits: number[] = [];
  const clock = { now: 0 };
  const transport = createOrdsTransport(
    {
      url: 'https://db.example/ords/memory/',
      credentials: { kind: 'basic', username: 'memory', password: 'pässword' },
      ...options,
    },
    {
      fetch: async (input, init = {}) => {
        const reply = replies[sent.length];
        const headers = new Headers(init.headers);
        sent.push({
          url: String(input),
          authorization: headers.get('authorization') ?? '',
          body: typeof init.body === 'string' ? init.body : '',
        });
        if (reply === undefined) throw new Error('no reply is left');
        return reply(init);
      },
      now: () => clock.now,
      random: () => 0.5,
      wait: async (milliseconds) => {
        waits.push(milliseconds);
      },
    },
  );
  return { transport, sent, waits, clock };
}

export const answer =
  (body: unknown, status = 200): Reply =>
  () =>
    Response.json(body, { status });

/** Answers of a database in the wire format of a mode. */
export interface WireReplies {
  rows(columns: readonly string[], items: readonly (readonly unknown[])[], more?: boolean): Reply;
  /** An atomic list of one statement that changed one row. */
  readonly done: Reply;
  failure(errorCode: number, errorDetails: string, status?: number): Reply;
}

export const REPLIES: Readonly<Record<OrdsMode, WireReplies>> = {
  'rest-sql': {
    rows: (columns, items, more = false) =>
      answer({
        items: [
          {
            statementId: 1,
            statementType: 'query',
            resultSet: {
              metadata: columns.map((name) => ({ columnName: name.toUpperCase(), jsonColumnName: name })),
              items: items.map((row) =>
                Object.fromEntries(columns.flatMap((column, index) => [[column, row[index]]])),
              ),
              hasMore: more,
            },
          },
        ],
      }),
    done: answer({ items: [{ binds: [{ name: 'rows_1', result: 1 }] }] }),
    failure: (errorCode, errorDetails, status = 200) =>
      answer({ items: [{ statementId: 1, errorCode, errorDetails }] }, status),
  },
  module: {
    rows: (columns, rows, more = false) => answer({ columns, rows, more }),
    done: answer({ outs: { rows_1: 1 } }),
    failure: (errorCode, errorDetails, status = 500) => answer({ errorCode, errorDetails }, status),
  },
};

/** The connection fails as Node's `fetch` reports it. */
export const connectionFailure =
  (code: string): Reply =>
  () => {
    throw new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
  };

/** Never answers; rejects when the request is aborted. */
export const silence: Reply = (init) =>
  new Promise((_resolve, reject) => {
    const { signal } = init;
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
