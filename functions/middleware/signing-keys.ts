import { createRemoteJWKSet, customFetch, errors } from 'jose';
import { AgentMemoryError } from '../../lib/errors/agent-memory-error.ts';

/** Milliseconds between two reads of the key set that unknown keys ask for: forged tokens must not call its server often. */
const REFRESH_INTERVAL = 30_000;
/** Milliseconds that the key set is used for: a key that was withdrawn is not accepted for longer. */
const LIFETIME = 600_000;
const TIMEOUT = 5_000;
/** Milliseconds after a failed read in which nobody tries another. */
const FAILURE_PAUSE = 5_000;

export interface SigningKeysOptions {
  readonly url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** @default 30000 */
  readonly refreshIntervalMilliseconds?: number | undefined;
}

/**
 * The public keys of an issuer, from the JSON Web Key Set (RFC 7517) at its address: read with the first token and kept for ten
 * minutes; a token that names an unknown key has them read again. A set that cannot be read throws `unavailable`.
 */
export function createSigningKeys({ url, now, refreshIntervalMilliseconds }: SigningKeysOptions) {
  let failedAt = Number.NEGATIVE_INFINITY;
  const keys = createRemoteJWKSet(new URL(url), {
    cooldownDuration: refreshIntervalMilliseconds ?? REFRESH_INTERVAL,
    cacheMaxAge: LIFETIME,
    timeoutDuration: TIMEOUT,
    [customFetch]: async (address, init) => {
      if (now() - failedAt < FAILURE_PAUSE) throw unreadable(undefined);
      try {
        const response = await fetch(address, init);
        if (response.status !== 200) throw new Error(`the key set was answered with ${response.status}`);
        return response;
      } catch (cause) {
        failedAt = now();
        throw unreadable(cause);
      }
    },
  });
  return async (...input: Parameters<typeof keys>): ReturnType<typeof keys> => {
    try {
      return await keys(...input);
    } catch (error) {
      const isAboutToken =
        error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys;
      throw isAboutToken || AgentMemoryError.is(error) ? error : unreadable(error);
    }
  };
}

function unreadable(cause: unknown): AgentMemoryError {
  return new AgentMemoryError('unavailable', 'the keys that credentials are checked with cannot be read', {
    retryAfterSeconds: 5,
    cause,
  });
}
