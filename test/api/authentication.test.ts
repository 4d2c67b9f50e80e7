import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { authenticateApiKeys } from '../../functions/middleware/authentication.ts';
import { createAgentMemoryClient } from '../../lib/client/agent-memory-client.ts';
import { type OperationContract, takesBody } from '../../lib/schemas/operation-contract.ts';
import { ALL_CONTRACTS } from '../../lib/schemas/operations/all-contracts.ts';
import { problemSchema } from '../../lib/schemas/problem.ts';
import { createBareApp } from './bare-app.ts';
import { VALID_REQUESTS } from './valid-requests.ts';

const NOW = Date.UTC(2026, 10, 30);
const sha256 = (key: string) => createHash('sha256').update(key).digest('hex');
/** Names nothing that a valid request names. */
const STRANGER = { users: ['stranger'], agents: ['stranger'], threads: ['stranger'] };
const KEYS = [
  { id: 'all', sha256: sha256('key-all'), scopes: ['*'], expiresAt: undefined },
  {
    id: 'reader',
    sha256: sha256('key-reader'),
    scopes: ['threads:read', 'memories:read'],
    expiresAt: undefined,
  },
  { id: 'writer', sha256: sha256('key-writer'), scopes: ['memories:write'], expiresAt: NOW + 1 },
  { id: 'keeper', sha256: sha256('key-keeper'), scopes: ['records:write'], expiresAt: undefined },
  { id: 'old', sha256: sha256('key-old'), scopes: ['*'], expiresAt: NOW },
  { id: 'stranger', sha256: sha256('key-stranger'), scopes: ['*'], expiresAt: undefined, ...STRANGER },
] as const;

const { app, logged } = createBareApp({ authenticate: authenticateApiKeys(KEYS, () => NOW) });

function send(contract: OperationContract, authorization?: string, change: object = {}) {
  const { parameters, query, body } = VALID_REQUESTS[contract.id] ?? { parameters: {} };
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    String(Object.entries(parameters).find(([key]) => key === name)?.[1]),
  );
  const headers = new Headers(authorization === undefined ? {} : { Authorization: authorization });
  headers.set('Content-Type', 'application/json');
  const method = contract.method.toUpperCase();
  const init = takesBody(contract) ? { body: JSON.stringify({ ...body, ...change }) } : {};
  return app.request(`/v1${path}${query === undefined ? '' : `?${query}`}`, { method, headers, ...init });
}

function contractOf(id: string): OperationContract {
  const contract = ALL_CONTRACTS.find((each) => each.id === id);
  if (contract === undefined) throw new Error(`no operation ${id}`);
  return contract;
}

describe.each(ALL_CONTRACTS.map((contract) => [contract.id, contract] as const))('%s', (_, contract) => {
  it.each([
    ['nothing', undefined],
    ['an unknown key', 'Bearer key-nobody'],
    ['an expired key', 'Bearer key-old'],
    ['another scheme', 'Basic key-all'],
    ['a key without scheme', 'key-all'],
    ['two keys', 'Bearer key-all key-reader'],
    ['an empty key', 'Bearer '],
    ['the digest instead of the key', `Bearer ${sha256('key-all')}`],
  ])('answers 401 to %s, before it looks at the request', async (_, authorization) => {
    const response = await send(contract, authorization, { unknownKey: 1 });
    expect(response.status).toBe(401);
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
    expect(problemSchema.strict().parse(await response.json()).code).toBe('unauthenticated');
  });

  it('lets a key through exactly when it has the scope', async () => {
    expect((await send(contract, 'Bearer key-all')).status).toBe(503);
    const expected = KEYS[1].scopes.some((scope) => scope === contract.access) ? 503 : 403;
    const response = await send(contract, 'bearer key-reader');
    expect(response.status).toBe(expected);
    const problem = problemSchema.parse(await response.json());
    if (expected === 403) expect(problem.detail).toContain(contract.access);
  });
});

describe('a key that reaches other ids only', () => {
  /** What a valid request does not name is narrowed, which needs a database. */
  const NAMELESS = [
    ...['getMemory', 'getMemoryHistory', 'updateMemory', 'deleteMemory', 'listUsers', 'listAgents'],
    ...['getRecord', 'updateRecord', 'deleteRecord', 'getJob', 'retryJob', 'cancelJob'],
  ];

  it.each(ALL_CONTRACTS.map((contract) => [contract.id, contract] as const))(
    'is refused %s',
    async (id, contract) => {
      const response = await send(contract, 'Bearer key-stranger');
      expect(response.status).toBe(NAMELESS.includes(id) ? 503 : 403);
      const { detail } = problemSchema.parse(await response.json());
      if (response.status === 403) expect(detail).toMatch(/does not reach this (?:user|agent|thread)Id/);
    },
  );
});

describe('a scope', () => {
  it('for memories does not let guidelines be written', async () => {
    for (const id of ['addMemory', 'addThreadMemory']) {
      expect((await send(contractOf(id), 'Bearer key-writer')).status).toBe(503);
      const refused = await send(contractOf(id), 'Bearer key-writer', { memoryType: 'guideline' });
      expect(refused.status).toBe(403);
      expect(problemSchema.parse(await refused.json()).detail).toContain('guidelines:write');
    }
  });

  it('for records does not let guidelines be written', async () => {
    const guideline = { recordType: 'guideline', contents: ['Answer briefly.'] };
    const changes = [
      ['addRecords', { ...guideline, contents: ['a', 'b'], roles: undefined }],
      ['addRecordBatches', { batches: [{ recordType: 'fact', contents: ['a'] }, guideline] }],
    ] as const;
    for (const [id, change] of changes) {
      expect((await send(contractOf(id), 'Bearer key-keeper')).status).toBe(503);
      const refused = await send(contractOf(id), 'Bearer key-keeper', change);
      expect(refused.status).toBe(403);
      expect(problemSchema.parse(await refused.json()).detail).toContain('guidelines:write');
    }
  });

  it('is not needed for health and the document', async () => {
    expect((await app.request('/health/live')).status).toBe(200);
    expect((await app.request('/openapi.json')).status).toBe(200);
  });
});

describe('the typed client', () => {
  it.each([
    [undefined, 'unauthenticated'],
    ['key-nobody', 'unauthenticated'],
    ['key-old', 'unauthenticated'],
    ['key-writer', 'forbidden'],
    ['key-stranger', 'forbidden'],
    ['key-reader', 'unavailable'],
  ])('throws for the key %s what the service says: %s', async (apiKey, code) => {
    const memory = createAgentMemoryClient({
      baseUrl: 'http://memory.test',
      ...(apiKey === undefined ? {} : { apiKey }),
      retries: 0,
      fetch: (url, init) => app.request(url, init),
    });
    await expect(memory.getThread('thread-1')).rejects.toMatchObject({ code });
    await expect(memory.listThreads({ userId: 'ana' })).rejects.toMatchObject({ code });
  });
});

describe('with authentication on', () => {
  it('answers tell nothing about the inside, and logs nothing about keys', async () => {
    const response = await send(contractOf('getThread'), 'Bearer key-all');
    expect(response.headers.get('Server-Timing')).toBeNull();
    expect(JSON.stringify(logged)).not.toMatch(/key-/);
  });
});
