import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { authenticateApiKeys } from '../../functions/middleware/authentication.ts';
import { apiKeysSchema } from '../../functions/runtime/api-keys.ts';
import { runApiKeyCommand } from '../../infra/api-key-command.ts';

function run(...options: readonly string[]): { readonly key: string; readonly entry: unknown } {
  let written = '';
  runApiKeyCommand(options, (text) => {
    written += text;
  });
  const [key = '', entry = ''] = written.split('\n').filter((line) => /^(?:amf_|\{)/.test(line));
  return { key, entry: JSON.parse(entry) };
}

it('makes a key that its entry lets in, with what was asked for', async () => {
  const { key, entry } = run(
    ...['--id', 'bot', '--scopes', 'threads:read, memories:read', '--users', 'ana, bob'],
    ...['--threads', 'a/b', '--expires', '2027-01-31', '--rate-per-minute', '60'],
  );
  expect(entry).toEqual({
    id: 'bot',
    sha256: createHash('sha256').update(key).digest('hex'),
    scopes: ['threads:read', 'memories:read'],
    users: ['ana', 'bob'],
    threads: ['a/b'],
    expiresAt: '2027-01-31',
    ratePerMinute: 60,
  });
  const authenticate = authenticateApiKeys(apiKeysSchema.parse([entry]), () => Date.UTC(2027, 0, 1));
  expect(await authenticate(`Bearer ${key}`)).toMatchObject({ id: 'bot', users: ['ana', 'bob'] });
});

it('makes another key each time, of 256 bits', () => {
  const keys = new Set(Array.from({ length: 20 }, () => run('--id', 'a', '--scopes', '*').key));
  expect(keys.size).toBe(20);
  for (const key of keys) expect(Buffer.from(key.slice('amf_'.length), 'base64url')).toHaveLength(32);
});

it.each([
  [['--scopes', '*'], /--id/],
  [['--id', 'a'], /--scopes/],
  [['--id', 'a', '--scopes', 'memories:delete'], /scopes/],
  [['--id', 'a', '--scopes', '*', '--expires', 'tomorrow'], /expiresAt/],
  [['--id', 'a', '--scopes', '*', '--rate-per-minute', 'many'], /ratePerMinute/],
  [['--id', 'a', '--scopes', '*', '--user', 'ana'], /--user/],
])('refuses %j', (options, message) => {
  expect(() => run(...options)).toThrow(message);
});
