import * as z from 'zod';
import { type OrdsConfig, resolveOrdsConfig } from '../../../lib/sql/ords/config.ts';
import { basicAuthorization, createOAuthTokens } from '../../../lib/sql/ords/oauth-token.ts';
import {
  NotAsked,
  type RawAnswer,
  type RawDatabase,
  type RawStatement,
  StatementRefused,
} from './raw-database.ts';

/** An HTTP answer of ORDS, whatever it is. */
export interface OrdsHttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
}

/** ORDS REST-Enabled SQL as plain HTTP. */
export interface RawOrds extends RawDatabase {
  readonly transport: 'ords';
  /** Of HTTP Basic; undefined for a client with OAuth2. */
  readonly username: string | undefined;
  /** Sends a body that need not be right. `authorization` replaces the credentials of the configuration. */
  post(body: string, authorization?: string): Promise<OrdsHttpAnswer>;
}

const MAXIMUM_ROWS = 10_000;
/** Statuses under which the statement did not reach a database: credentials, load, time. */
const WITHOUT_ANSWER: ReadonlySet<number> = new Set([401, 403, 408, 429, 502, 503, 504]);

const item = z.looseObject({
  errorCode: z.number().nullish(),
  errorDetails: z.string().nullish(),
  resultSet: z
    .looseObject({
      items: z.array(z.record(z.string(), z.unknown())).nullish(),
      hasMore: z.boolean().nullish(),
    })
    .nullish(),
  binds: z.array(z.looseObject({ name: z.string().nullish() })).nullish(),
});
const answerBody = z.looseObject({ items: z.array(item) });

/** Opens ORDS with the credentials of the service. */
export function openRawOrds(config: OrdsConfig): RawOrds {
  const { schemaUrl, tokenUrl, credentials, timeoutMilliseconds } = resolveOrdsConfig(config);
  const tokens =
    credentials.kind === 'basic'
      ? undefined
      : createOAuthTokens({ ...credentials, tokenUrl, timeoutMilliseconds, fetch, now: Date.now });
  const own = async (): Promise<string> =>
    credentials.kind === 'basic'
      ? basicAuthorization(credentials.username, credentials.password)
      : `Bearer ${await tokens?.get()}`;

  async function post(body: string, authorization?: string): Promise<OrdsHttpAnswer> {
    const headers = {
      authorization: authorization ?? (await own()),
      'content-type': 'application/json',
      accept: 'application/json',
    };
    const signal = AbortSignal.timeout(timeoutMilliseconds);
    const response = await fetch(`${schemaUrl}/_/sql`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
      signal,
    });
    const contentType = response.headers.get('content-type') ?? 'no content type';
    return { status: response.status, contentType, text: await response.text() };
  }

  return {
    transport: 'ords',
    username: credentials.kind === 'basic' ? credentials.username : undefined,
    post,
    async ask(statement) {
      const answer = await post(JSON.stringify(requestBody(statement))).catch((cause: unknown) => {
        throw new NotAsked('ORDS did not answer', { cause });
      });
      return readAnswer(answer);
    },
    async close() {},
  };
}

function requestBody({ sql, binds = {}, outs = {}, limit = MAXIMUM_ROWS }: RawStatement): unknown {
  return {
    statementText: sql,
    offset: 0,
    limit,
    binds: [
      ...Object.entries(binds).map(([name, { dataType, value }]) => ({ name, data_type: dataType, value })),
      ...Object.entries(outs).map(([name, data_type]) => ({ name, data_type, mode: 'out' })),
    ],
  };
}

function readAnswer({ status, contentType, text }: OrdsHttpAnswer): RawAnswer {
  const parsed = answerBody.safeParse(parseJson(text));
  if (!parsed.success) {
    const told = text.slice(0, 300);
    if (WITHOUT_ANSWER.has(status)) throw new NotAsked(`HTTP ${status}: ${told}`);
    throw new StatementRefused(0, told, `HTTP ${status}, ${contentType}`);
  }
  const { items } = parsed.data;
  const failed = items.find((each) => each.errorCode || each.errorDetails);
  if (failed !== undefined) {
    const details = failed.errorDetails ?? '';
    const number = Math.abs(failed.errorCode ?? Number(/ORA-(\d{5})/.exec(details)?.[1] ?? 0));
    throw new StatementRefused(number, details, `HTTP ${status}, errorCode ${failed.errorCode ?? 'absent'}`);
  }
  const [only] = items;
  return {
    rows: only?.resultSet?.items ?? [],
    hasMore: only?.resultSet?.hasMore ?? undefined,
    outs: Object.fromEntries(
      (only?.binds ?? []).map(({ name, ...bind }) => [name?.toLowerCase() ?? '', bind.result ?? bind.value]),
    ),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
