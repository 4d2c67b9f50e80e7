import * as z from 'zod';
import { AgentMemoryError } from '../../errors/agent-memory-error.ts';

export interface OAuthTokenOptions {
  readonly tokenUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly fetch: typeof fetch;
  readonly timeoutMilliseconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Access tokens of the OAuth2 client credentials grant (RFC 6749 §4.4), kept until shortly before they expire. */
export interface OAuthTokens {
  get(): Promise<string>;
  /** Forgets a token that was refused; a newer one stays. */
  forget(token: string): void;
}

const EXPIRY_MARGIN_MILLISECONDS = 60_000;
const tokenAnswer = z.looseObject({ access_token: z.string().min(1), expires_in: z.number().positive() });

/** One refresh runs at a time: calls that need a token meanwhile share its outcome. */
export function createOAuthTokens(options: OAuthTokenOptions): OAuthTokens {
  let current: { readonly token: string; readonly usableUntil: number } | undefined;
  let refresh: { readonly startedAt: number; readonly outcome: Promise<string> } | undefined;

  async function renew(): Promise<string> {
    const answer = await requestToken(options);
    const life = answer.expires_in * 1000;
    const margin = Math.min(EXPIRY_MARGIN_MILLISECONDS, life / 2);
    current = { token: answer.access_token, usableUntil: options.now() + life - margin };
    return answer.access_token;
  }

  function startRefresh(): Promise<string> {
    const started = { startedAt: options.now(), outcome: renew() };
    refresh = started;
    const end = (): void => {
      if (refresh === started) refresh = undefined;
    };
    started.outcome.then(end, end);
    return started.outcome;
  }

  return {
    async get() {
      if (current !== undefined && options.now() < current.usableUntil) return current.token;
      // A runtime may cancel the request that started a refresh (Workers do): after its time it is not waited for.
      if (refresh !== undefined && options.now() - refresh.startedAt <= options.timeoutMilliseconds) {
        return refresh.outcome;
      }
      return startRefresh();
    },
    forget(token) {
      if (current?.token === token) current = undefined;
    },
  };
}

async function requestToken(options: OAuthTokenOptions): Promise<z.infer<typeof tokenAnswer>> {
  const response = await askForToken(options);
  if (response.status >= 500) {
    throw new AgentMemoryError('unavailable', 'the database endpoint is not available', {
      retryAfterSeconds: 5,
      cause: new Error(`the OAuth token endpoint answered ${response.status}`),
    });
  }
  const parsed = tokenAnswer.safeParse(await response.json().catch(() => undefined));
  if (!response.ok || !parsed.success) {
    throw new AgentMemoryError('internal', 'the database refused the configured credentials', {
      cause: new Error(
        `the OAuth token endpoint answered ${response.status}: check ORDS_CLIENT_ID and ORDS_TOKEN_URL`,
      ),
    });
  }
  return parsed.data;
}

async function askForToken(options: OAuthTokenOptions): Promise<Response> {
  const { fetch } = options;
  try {
    return await fetch(options.tokenUrl, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        authorization: basicAuthorization(options.clientId, options.clientSecret),
        'content-type': 'application/x-www-form-urlencoded',
        accept: 'application/json',
      },
      body: 'grant_type=client_credentials',
      signal: AbortSignal.timeout(options.timeoutMilliseconds),
    });
  } catch (cause) {
    const message = 'the connection to the database endpoint failed';
    throw new AgentMemoryError('unavailable', message, { retryAfterSeconds: 2, cause });
  }
}

/** Value of an `authorization` header of the Basic scheme, in UTF-8 (RFC 7617). */
export function basicAuthorization(username: string, password: string): string {
  const bytes = new TextEncoder().encode(`${username}:${password}`);
  return `Basic ${btoa(String.fromCharCode(...bytes))}`;
}
