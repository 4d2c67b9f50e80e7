import {
  type CryptoKey,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authenticateJwts } from '../../functions/middleware/jwt-authentication.ts';
import { type KeySetServer, startKeySetServer } from './key-set-server.ts';

const NOW = Date.UTC(2026, 10, 30);
const SECONDS = NOW / 1_000;
const VALID = {
  iss: 'https://issuer.test/',
  aud: 'memory',
  sub: 'service-1',
  scope: 'openid memories:read threads:write',
  exp: SECONDS + 600,
};

interface SigningKey {
  readonly id: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

let server: KeySetServer;
let keys: Readonly<Record<'one' | 'two' | 'curve' | 'stranger', SigningKey>>;
let now = NOW;

async function createKey(id: string, alg: string): Promise<SigningKey> {
  return { id, alg, ...(await generateKeyPair(alg, { extractable: true })) };
}

async function publish(...published: readonly SigningKey[]): Promise<void> {
  const jwks = published.map(async ({ id, alg, publicKey }) => ({
    ...(await exportJWK(publicKey)),
    kid: id,
    alg,
    use: 'sig',
  }));
  server.answer(200, { keys: await Promise.all(jwks) });
}

beforeAll(async () => {
  server = await startKeySetServer();
  keys = {
    one: await createKey('one', 'RS256'),
    two: await createKey('two', 'ES256'),
    curve: await createKey('curve', 'EdDSA'),
    stranger: await createKey('one', 'RS256'),
  };
});
afterAll(() => server.close());
beforeEach(async () => {
  now = NOW;
  await publish(keys.one);
});

function sign(claims: JWTPayload, key: SigningKey = keys.one, header: object = {}): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: key.alg, kid: key.id, ...header })
    .sign(key.privateKey);
}

function createAuthenticate(refreshInterval = 30_000) {
  const configuration = {
    jwksUrl: server.url,
    issuer: VALID.iss,
    audience: VALID.aud,
    clockSkewSeconds: 60,
  };
  const authenticate = authenticateJwts(configuration, () => now, refreshInterval);
  return async (token: string | Promise<string>) => authenticate(`Bearer ${await token}`);
}

const REFUSED = {
  code: 'unauthenticated',
  message: 'the token is not valid for this service, or not any more',
};
const UNREADABLE = { code: 'unavailable', retryAfterSeconds: 5 };

describe('a token', () => {
  it('names its caller, with the scopes that mean something here', async () => {
    const authenticate = createAuthenticate();
    expect(await authenticate(sign(VALID))).toEqual({
      id: 'service-1',
      scopes: ['threads:write', 'memories:read'],
    });
    const lists = { ...VALID, scope: undefined, scp: ['users:read'], scopes: ['*', 'Threads:read'] };
    expect(await authenticate(sign(lists))).toMatchObject({ scopes: ['users:read', '*'] });
    expect(await authenticate(sign({ ...VALID, scope: undefined }))).toMatchObject({ scopes: [] });
  });

  it('carries the limits of a key', async () => {
    const limits = { users: ['ana'], agents: ['guide', 'cook'], threads: [], ratePerMinute: 60 };
    expect(await createAuthenticate()(sign({ ...VALID, ...limits }))).toMatchObject(limits);
  });

  it.each([
    { users: 'ana' },
    { users: [1] },
    { agents: null },
    { threads: {} },
    { users: [''] },
    { ratePerMinute: 0 },
  ])('is refused when a limit cannot be read: %j', async (limits) => {
    await expect(createAuthenticate()(sign({ ...VALID, ...limits }))).rejects.toMatchObject(REFUSED);
  });

  it.each<[string, Partial<JWTPayload>]>([
    ['of another issuer', { iss: 'https://issuer.test' }],
    ['of no issuer', { iss: undefined }],
    ['for another audience', { aud: 'memory-2' }],
    ['for no audience', { aud: undefined }],
    ['without a subject', { sub: undefined }],
    ['with a subject that no database holds', { sub: 'a\u0000b' }],
    ['with half a character as its subject', { sub: 'a\ud800' }],
    ['with an empty subject', { sub: '' }],
    ['without an expiry', { exp: undefined }],
    ['that has expired', { exp: SECONDS - 61 }],
    ['that is not valid yet', { nbf: SECONDS + 61 }],
  ])('is refused: one %s', async (_, change) => {
    await expect(createAuthenticate()(sign({ ...VALID, ...change }))).rejects.toMatchObject(REFUSED);
  });

  it('is accepted as long as the clocks may differ', async () => {
    const authenticate = createAuthenticate();
    await authenticate(sign({ ...VALID, exp: SECONDS - 59, nbf: SECONDS + 60 }));
    now = NOW + 2_000;
    await expect(authenticate(sign({ ...VALID, exp: SECONDS - 59 }))).rejects.toMatchObject(REFUSED);
  });

  it('is accepted for one audience of several', async () => {
    expect(await createAuthenticate()(sign({ ...VALID, aud: ['other', 'memory'] }))).toMatchObject({
      id: 'service-1',
    });
  });
});

describe('a signature', () => {
  it('by another key under the same id is refused', async () => {
    await expect(createAuthenticate()(sign(VALID, keys.stranger))).rejects.toMatchObject(REFUSED);
  });

  it('over other claims is refused', async () => {
    const [header = '', , signature = ''] = (await sign(VALID)).split('.');
    const claims = Buffer.from(JSON.stringify({ ...VALID, scope: '*' })).toString('base64url');
    await expect(createAuthenticate()(`${header}.${claims}.${signature}`)).rejects.toMatchObject(REFUSED);
  });

  it('that is none, or made with the public key as a secret, is refused without reading the keys', async () => {
    const authenticate = createAuthenticate();
    const before = server.reads;
    const unsigned = new UnsecuredJWT(VALID).encode();
    await expect(authenticate(unsigned)).rejects.toMatchObject(REFUSED);
    await expect(authenticate(`${unsigned}x`)).rejects.toMatchObject(REFUSED);
    const secret = new TextEncoder().encode(await exportSPKI(keys.one.publicKey));
    const confused = new SignJWT(VALID).setProtectedHeader({ alg: 'HS256', kid: 'one' }).sign(secret);
    await expect(authenticate(confused)).rejects.toMatchObject(REFUSED);
    expect(server.reads).toBe(before);
  });

  it('by a symmetric key of the set is refused', async () => {
    const secret = new Uint8Array(32).fill(7);
    const k = Buffer.from(secret).toString('base64url');
    server.answer(200, { keys: [{ kty: 'oct', k, kid: 'oct', alg: 'HS256' }] });
    const token = new SignJWT(VALID).setProtectedHeader({ alg: 'HS256', kid: 'oct' }).sign(secret);
    await expect(createAuthenticate()(token)).rejects.toMatchObject(REFUSED);
  });

  it('is checked by the algorithm of its key', async () => {
    await publish(keys.one, keys.two, keys.curve);
    const authenticate = createAuthenticate();
    for (const key of [keys.one, keys.two, keys.curve])
      expect(await authenticate(sign(VALID, key))).toMatchObject({ id: 'service-1' });
    await expect(authenticate(sign(VALID, keys.two, { kid: 'one' }))).rejects.toMatchObject(REFUSED);
  });

  it.each(['', 'a', 'a.b', 'a.b.c', '....', '{}.{}.{}', 'e30.e30.e30'])(
    'of no token is refused: %j',
    async (text) => {
      const before = server.reads;
      await expect(createAuthenticate()(text)).rejects.toMatchObject({ code: 'unauthenticated' });
      expect(server.reads).toBe(before);
    },
  );
});

describe('the key set', () => {
  it('is read with the first token, and then kept', async () => {
    const before = server.reads;
    const authenticate = createAuthenticate();
    expect(server.reads).toBe(before);
    await Promise.all([authenticate(sign(VALID)), authenticate(sign(VALID)), authenticate(sign(VALID))]);
    await authenticate(sign(VALID));
    expect(server.reads).toBe(before + 1);
  });

  it('is read again for a key that it does not have, so that keys can be replaced', async () => {
    const authenticate = createAuthenticate(0);
    await authenticate(sign(VALID));
    await publish(keys.two);
    expect(await authenticate(sign(VALID, keys.two))).toMatchObject({ id: 'service-1' });
    await expect(authenticate(sign(VALID, keys.one))).rejects.toMatchObject(REFUSED);
  });

  it('is not read more often than its interval, whatever keys tokens name', async () => {
    const authenticate = createAuthenticate();
    await authenticate(sign(VALID));
    const before = server.reads;
    for (const kid of ['a', 'b', 'c'])
      await expect(authenticate(sign(VALID, keys.stranger, { kid }))).rejects.toMatchObject(REFUSED);
    expect(server.reads).toBe(before);
  });

  it.each<[string, number, unknown]>([
    ['fails', 500, {}],
    ['redirects', 302, {}],
    ['is no JSON', 200, '<html>'],
    ['is no key set', 200, { keys: 'none' }],
  ])(
    'makes the service unavailable when its server %s, and is not asked at once again',
    async (_, status, body) => {
      const authenticate = createAuthenticate();
      server.answer(status, body);
      await expect(authenticate(sign(VALID))).rejects.toMatchObject(UNREADABLE);
      if (status !== 200) {
        const before = server.reads;
        await expect(authenticate(sign(VALID))).rejects.toMatchObject(UNREADABLE);
        expect(server.reads).toBe(before);
      }
      await publish(keys.one);
      now += 5_000;
      expect(await authenticate(sign(VALID))).toMatchObject({ id: 'service-1' });
    },
  );
});
