import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { OrdsHttpError } from './ords-http-error.ts';

/** A registered OAuth client (`ORDS_SECURITY.REGISTER_CLIENT`). */
export interface OrdsClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
  readonly clients: readonly OrdsClient[];
  /** Life of a bearer token. */
  readonly tokenSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly token_type: 'bearer';
  readonly expires_in: number;
}

/** Checks Basic credentials and the bearer tokens it issues. */
export class OrdsAuthentication {
  readonly #credentials: Credentials;
  readonly #expiryByToken = new Map<string, number>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /** 401 unless the request carries the schema user's password or a token that has not expired. */
  readonly required: MiddlewareHandler = async (context, next) => {
    const header = context.req.header('authorization') ?? '';
    if (!this.#isSchemaUser(header) && !this.#isValidToken(header)) {
      throw new OrdsHttpError(401, 'Access to this resource requires authentication');
    }
    await next();
  };

  /** Answers `grant_type=client_credentials` with HTTP Basic client credentials. */
  issueToken(authorization: string | undefined, grantType: string | null): TokenResponse {
    if (grantType !== 'client_credentials') {
      throw new OrdsHttpError(400, 'unsupported_grant_type');
    }
    const client = readBasic(authorization ?? '');
    const isKnown = this.#credentials.clients.some(
      ({ clientId, clientSecret }) =>
        client !== undefined && same(client.name, clientId) && same(client.password, clientSecret),
    );
    if (!isKnown) {
      throw new OrdsHttpError(401, 'invalid_client');
    }
    const token = randomBytes(16).toString('base64url');
    const { now, tokenSeconds } = this.#credentials;
    this.#expiryByToken.set(token, now() + tokenSeconds * 1000);
    return { access_token: token, token_type: 'bearer', expires_in: tokenSeconds };
  }

  #isSchemaUser(header: string): boolean {
    const basic = readBasic(header);
    const { username, password } = this.#credentials;
    return basic !== undefined && same(basic.name, username) && same(basic.password, password);
  }

  #isValidToken(header: string): boolean {
    const token = /^Bearer (\S+)$/i.exec(header)?.[1];
    const expiry = token === undefined ? undefined : this.#expiryByToken.get(token);
    return expiry !== undefined && expiry > this.#credentials.now();
  }
}

function readBasic(header: string): { readonly name: string; readonly password: string } | undefined {
  const encoded = /^Basic (\S+)$/i.exec(header)?.[1];
  const text = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { name: text.slice(0, colon), password: text.slice(colon + 1) };
}

function same(left: string, right: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
