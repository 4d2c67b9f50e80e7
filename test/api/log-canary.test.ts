import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { authenticateApiKeys } from '../../functions/middleware/authentication.ts';
import { takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { createBareApp } from './bare-app.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const KEY = 'hush-4711-key';
const API_KEYS = [
  {
    id: 'reader',
    sha256: createHash('sha256').update(KEY).digest('hex'),
    scopes: ['*'],
    expiresAt: undefined,
  },
] as const;

/** A valid body in which every text is a canary, as far as the operation takes any text there. */
function withCanaries(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withCanaries);
  if (typeof value !== 'object' || value === null) return value;
  const changed = Object.entries(value).map(([field, part]) => {
    const isText = ['content', 'query', 'information'].includes(field);
    if (field === 'metadata') return [field, { note: 'hush-4711 metadata' }];
    return [field, isText && typeof part === 'string' ? 'hush-4711 content' : withCanaries(part)];
  });
  return Object.fromEntries(changed);
}

it.each<[string, unknown]>([
  ['nothing of ours', new Error('hush-4711: a driver says what it was given')],
  ['a value', { said: 'hush-4711' }],
  ['a cause of ours', new TypeError('hush-4711', { cause: new Error('hush-4711') })],
])('logs neither credentials nor content of any operation that fails by %s', async (_, failure) => {
  const { app, logged } = createBareApp({ authenticate: authenticateApiKeys(API_KEYS, () => 0), failure });
  for (const contract of ALL_CONTRACTS) {
    const { parameters = {}, body } = VALID_REQUESTS[contract.id] ?? {};
    const path = contract.path.replaceAll(/\{(\w+)\}/g, (_match, name: string) =>
      String(Object.entries(parameters).find(([key]) => key === name)?.[1]),
    );
    for (const credential of [`Bearer ${KEY}`, `Bearer ${KEY}-unknown`, `Basic ${KEY}`, KEY]) {
      const response = await app.request(`/v1${path}`, {
        method: contract.method.toUpperCase(),
        headers: { Authorization: credential, 'Content-Type': 'application/json' },
        ...(takesBody(contract) ? { body: JSON.stringify(withCanaries(body)) } : {}),
      });
      expect(await response.text()).not.toContain('hush-4711');
      expect([contract.id, response.status]).toEqual([
        contract.id,
        credential === `Bearer ${KEY}` ? 500 : 401,
      ]);
    }
  }
  expect(logged.filter(({ event }) => event === 'request_failed')).toHaveLength(ALL_CONTRACTS.length);
  expect(JSON.stringify(logged).includes('hush-4711')).toBe(false);
});
