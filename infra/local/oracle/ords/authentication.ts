import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { OrdsHttpError } from './ords-http-error.ts';

/** Roles of ORDS: the built-in one for REST-Enabled SQL, and the one of the module. */
export const ORDS_ROLES = ['SQL Developer', 'agent-memory.caller'] as const;
export type OrdsRole = (typeof ORDS_ROLES)[number];

/** A registered OAuth client (`ORDS_SECURITY.REGISTER_CLIENT`). */
export interface OrdsClient {
  readonly clientId: string;
  readonly clientSecret: string;
  /** What was granted to it (`ORDS_SECURITY.GRANT_CLIENT_ROLE`). @default every role */
  readonly roles?: readonly OrdsRole[] | undefined;
}

interface IssuedToken {
  /** Milliseconds since the epoch. */
  readonly expiry: number;
  readonly roles: readonly OrdsRole[];
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
  readonly #issued = new Map<string, IssuedToken>();

  constructor(credentials: Credentials) {
    this.#credentials = credentials;
  }

  /**
   * 401 unless the request carries the schema user's password or a token that has not expired; 403 when the client of the
   * token has not the role. The schema user stands for every user of ORDS that has one.
   */
  requires(role: OrdsRole): MiddlewareHandler {
    return async (context, next) => {
      const header = context.req.header('authorization') ?? '';
      const roles = this.#isSchemaUser(header) ? ORDS_ROLES : this.#rolesOfToken(header);
      if (roles === undefined) {
        throw new OrdsHttpError(401, 'Access to this resource requires authentication');
      }
      if (!roles.includes(role)) {
        throw new OrdsHttpError(403, `The user does not have the role ${role}`);
      }
      await next();
    };
  }

  /** Answers `grant_type=client_credentials` with HTTP Basic client credentials. */
  issueToken(authorization: string | undefined, grantType: string | null): TokenResponse {
    if (grantType !== 'client_credentials') {
      throw new OrdsHttpError(400, 'unsupported_grant_type');
    }
    const client = readBasic(authorization ?? '');
    const known = this.#credentials.clients.find(
      ({ clientId, clientSecret }) =>
        client !== undefined && same(client.name, clientId) && same(client.password, clientSecret),
    );
    if (known === undefined) {
      throw new OrdsHttpError(401, 'invalid_client');
    }
    const token = randomBytes(16).toString('base64url');
    const { now, tokenSeconds } = this.#credentials;
    this.#issued.set(token, { expiry: now() + tokenSeconds * 1000, roles: known.roles ?? ORDS_ROLES });
    return { access_token: token, token_type: 'bearer', expires_in: tokenSeconds };
  }

  #isSchemaUser(header: string): boolean {
    const basic = readBasic(header);
    const { username, password } = this.#credentials;
    return basic !== undefined && same(basic.name, username) && same(basic.password, password);
  }

  #rolesOfToken(header: string): readonly OrdsRole[] | undefined {
    const token = /^Bearer (\S+)$/i.exec(header)?.[1];
    const issued = token === undefined ? undefined : this.#issued.get(token);
    return issued !== undefined && issued.expiry > this.#credentials.now() ? issued.roles : undefined;
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
