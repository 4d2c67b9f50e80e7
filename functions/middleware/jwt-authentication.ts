import { jwtVerify } from 'jose';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';
import type { Authenticate } from './authentication.ts';
import { bearerToken, unauthenticated } from './bearer-token.ts';
import { readClaims } from './jwt-claims.ts';
import { createSigningKeys } from './signing-keys.ts';

/** Signatures by a private key. `none` and the HS family, which would take a public key for a secret, are not here. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const COMPACT_JWS = /^[\w-]+\.[\w-]+\.[\w-]+$/;

/** Whose tokens are accepted, and for whom they were issued. */
export interface JwtConfiguration {
  /** Address of the JSON Web Key Set. */
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** Seconds that the clocks of issuer and service may differ. */
  readonly clockSkewSeconds: number;
}

/**
 * Authenticates JSON Web Tokens (RFC 7519) that are signed by a key of the issuer, are for this audience, have an expiry and a
 * subject, and are valid now. A token that is not says only that.
 *
 * @param now Milliseconds since 1970
 */
export function authenticateJwts(
  configuration: JwtConfiguration,
  now: () => number,
  refreshIntervalMilliseconds?: number,
): Authenticate {
  const keys = createSigningKeys({ url: configuration.jwksUrl, now, refreshIntervalMilliseconds });
  return async (authorization) => {
    const token = bearerToken(authorization, 'token');
    if (!COMPACT_JWS.test(token)) throw invalidToken();
    const caller = readClaims(await verifiedClaims(token));
    if (caller === undefined) throw invalidToken();
    return caller;
  };

  async function verifiedClaims(token: string): Promise<unknown> {
    try {
      const { payload } = await jwtVerify(token, keys, {
        algorithms: ALGORITHMS,
        issuer: configuration.issuer,
        audience: configuration.audience,
        clockTolerance: configuration.clockSkewSeconds,
        requiredClaims: ['exp', 'sub'],
        currentDate: new Date(now()),
      });
      return payload;
    } catch (error) {
      throw AgentMemoryError.is(error) ? error : invalidToken(error);
    }
  }
}

function invalidToken(cause?: unknown): AgentMemoryError {
  return unauthenticated('the token is not valid for this service, or not any more', cause);
}
