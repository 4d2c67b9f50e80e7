import { AgentMemoryError } from '../../errors/agent-memory-error.ts';
import { unlessAborted } from '../unless-aborted.ts';
import type { ResolvedOrdsConfig } from './config.ts';
import { basicAuthorization, createOAuthTokens, type OAuthTokens } from './oauth-token.ts';
import { httpStatusError } from './ords-http-error.ts';

/** What the client takes from its runtime, so that tests need no network and no waiting. */
export interface OrdsRuntime {
  readonly fetch: typeof fetch;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** From 0 to 1: spreads retries. */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
}

export interface OrdsRequest {
  readonly url: string;
  readonly body: string;
  /** Whether sending it twice does no harm: queries, not writes. */
  readonly repeatable: boolean;
  /** Whether a body reports a failed statement, which counts more than the HTTP status. */
  readonly reportsError: (body: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Sends one request body and returns the parsed JSON answer. */
export type OrdsHttpClient = (request: OrdsRequest) => Promise<unknown>;

/** Failures that Node reports before anything was sent, as `cause.code` of the fetch error. */
const NOT_SENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const FIRST_WAIT_MILLISECONDS = 50;

/**
 * HTTP side of the transport: authentication, time limit, retries. A query is sent again when the connection fails
 * before an answer; a write only when nothing was sent, because it may have been committed. The caller's own abort is
 * thrown as it is.
 */
export function createOrdsHttpClient(config: ResolvedOrdsConfig, runtime: OrdsRuntime): OrdsHttpClient {
  const authorization = createAuthorization(config, runtime);
  return async (request) => {
    const deadline = AbortSignal.timeout(config.timeoutMilliseconds);
    const signal = request.signal === undefined ? deadline : AbortSignal.any([request.signal, deadline]);
    for (let attempt = 0; ; attempt += 1) {
      try {
        signal.throwIfAborted();
        return await exchange(runtime, authorization, request, signal);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (deadline.aborted)
          throw new AgentMemoryError('timeout', 'the database took too long', { cause: error });
        if (AgentMemoryError.is(error)) throw error;
        if (attempt >= config.readRetries || !(request.repeatable || wasNotSent(error)))
          throw connectionError(error);
        await runtime.wait(FIRST_WAIT_MILLISECONDS * 2 ** attempt * (0.5 + runtime.random()));
      }
    }
  };
}

function wasNotSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && NOT_SENT.has(cause.code);
}

function connectionError(cause: unknown): AgentMemoryError {
  const message = 'the connection to the database endpoint failed';
  return new AgentMemoryError('unavailable', message, { retryAfterSeconds: 2, cause });
}

interface Authorization {
  header(): Promise<string>;
  /** Called once after a 401. True when another header is worth a second try. */
  refused(header: string): boolean;
}

function createAuthorization(config: ResolvedOrdsConfig, runtime: OrdsRuntime): Authorization {
  const { credentials, tokenUrl, timeoutMilliseconds } = config;
  if (credentials.kind === 'basic') {
    const header = basicAuthorization(credentials.username, credentials.password);
    return { header: async () => header, refused: () => false };
  }
  const { clientId, clientSecret } = credentials;
  const { fetch, now } = runtime;
  return bearer(createOAuthTokens({ tokenUrl, clientId, clientSecret, fetch, timeoutMilliseconds, now }));
}

function bearer(tokens: OAuthTokens): Authorization {
  return {
    header: async () => `Bearer ${await tokens.get()}`,
    refused(header) {
      tokens.forget(header.slice('Bearer '.length));
      return true;
    },
  };
}

async function exchange(
  runtime: OrdsRuntime,
  authorization: Authorization,
  request: OrdsRequest,
  signal: AbortSignal,
): Promise<unknown> {
  const send = async (): Promise<{ readonly header: string; readonly response: Response }> => {
    const header = await unlessAborted(authorization.header(), signal);
    return { header, response: await post(runtime, header, request, signal) };
  };
  const first = await send();
  if (first.response.status !== 401 || !authorization.refused(first.header))
    return readAnswer(first.response, request);
  await first.response.body?.cancel();
  return readAnswer((await send()).response, request);
}

function post(
  runtime: OrdsRuntime,
  authorization: string,
  { url, body }: OrdsRequest,
  signal: AbortSignal,
): Promise<Response> {
  const { fetch } = runtime;
  const headers = { authorization, 'content-type': 'application/json', accept: 'application/json' };
  return fetch(url, { method: 'POST', redirect: 'manual', headers, body, signal });
}

async function readAnswer(response: Response, { reportsError }: OrdsRequest): Promise<unknown> {
  const body = await jsonBody(response);
  if (reportsError(body)) return body;
  if (!response.ok) throw httpStatusError(response);
  if (body === undefined) {
    throw new AgentMemoryError('internal', 'the database endpoint answered in an unknown form', {
      cause: new Error(
        `ORDS answered ${response.status} with ${response.headers.get('content-type') ?? 'no type'}`,
      ),
    });
  }
  return body;
}

/** The parsed body, or nothing for another content type: ORDS may answer HTML to a JSON request. */
async function jsonBody(response: Response): Promise<unknown> {
  if (!/^application\/(?:[\w.-]+\+)?json\b/i.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel();
    return undefined;
  }
  let content: string;
  try {
    content = await response.text();
  } catch (cause) {
    throw connectionError(cause);
  }
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
