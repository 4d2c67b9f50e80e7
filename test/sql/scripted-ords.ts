import type { OrdsCredentials } from '../../lib/sql/ords/config.ts';
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

export const rows = (columns: readonly string[], items: readonly unknown[], more: object = {}): Reply =>
  answer({
    items: [
      {
        statementId: 1,
        statementType: 'query',
        resultSet: {
          metadata: columns.map((name) => ({ columnName: name.toUpperCase(), jsonColumnName: name })),
          items,
          hasMore: false,
          ...more,
        },
      },
    ],
  });

export const failure = (errorCode: number | undefined, errorDetails: string, status = 200): Reply =>
  answer({ items: [{ statementId: 1, errorCode, errorDetails }] }, status);

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
